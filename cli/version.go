package cli

import (
	"runtime"
	"runtime/debug"

	"guardrails/cli/app"

	"github.com/spf13/cobra"
)

// build says which build of the program this is.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	// Modified says that the commit is not all there is in the build.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show which build of the program this is",
		Long:    "Version shows the program's version, the commit that it was built from, and the Go version that built it.",
		Example: "  guardrails version",
		Args:    app.Args(0, 0, "it takes none"),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			b := newBuild(a.Release, info)
			return a.Answer(b, func(p *app.Printer) { printBuild(p, &b) })
		},
	}
}

func newBuild(release string, info *debug.BuildInfo) build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if b.Version == "" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func printBuild(p *app.Printer, b *build) {
	p.Line("guardrails %s", b.Version)
	commit := b.Commit
	if commit != "" && b.Modified {
		commit += " with changes"
	}
	p.Field("commit", commit)
	p.Field("built with", b.Go+" for "+b.Platform)
}
