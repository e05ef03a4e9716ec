package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	// Modified is set if the build contains changes that are not in the commit.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of the program",
		Long:    "Version shows the version of the program, the commit that it was built from, and the version of Go.",
		Example: "  guardrails version",
		Args:    app.Args(0, 0, "it takes no arguments"),
		RunE:    func(*cobra.Command, []string) error { return printVersion(a) },
	}
}

func printVersion(a *app.App) error {
	info, _ := debug.ReadBuildInfo()
	b := newBuild(a.Release, info)
	return a.Answer(b, func(p *app.Printer) { printBuild(p, &b) })
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
