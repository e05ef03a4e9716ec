package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by the linker in released builds: -ldflags "-X main.release=v1.2.3".
var release string //nolint:gochecknoglobals // the linker can set nothing else

// build says which build of the program this is.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	// Modified says that the commit is not all there is in the build.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show which build of the program this is",
		Long:    "Version shows the program's version, the commit that it was built from, and the Go version that built it.",
		Example: "  guardrails version",
		Args:    arguments(0, 0, "it takes none"),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			b := newBuild(release, info)
			return a.answer(b, func(p *printer) { p.build(&b) })
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

func (p *printer) build(b *build) {
	p.line("guardrails %s", b.Version)
	commit := b.Commit
	if commit != "" && b.Modified {
		commit += " with changes"
	}
	p.field("commit", commit)
	p.field("built with", b.Go+" for "+b.Platform)
}
