package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"guardrails/cli/app"
)

func TestVersionDescribesTheBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"},
		{Key: "vcs.modified", Value: "true"},
	}}
	info.Main.Version = "v1.2.3"
	if b := newBuild("", info); b.Version != "v1.2.3" || b.Commit != "abc" || !b.Modified || b.Go == "" {
		t.Errorf("got %+v", b)
	}
	if b := newBuild("v9", info); b.Version != "v9" {
		t.Errorf("the linker's version is not taken: %+v", b)
	}
	if b := newBuild("", nil); b.Version != "(devel)" {
		t.Errorf("got %+v", b)
	}
	var p app.Printer
	b := newBuild("v9", info)
	if printBuild(&p, &b); !strings.Contains(p.String(), "guardrails v9\n") ||
		!strings.Contains(p.String(), "abc with changes") {
		t.Errorf("got %s", p.String())
	}
}
