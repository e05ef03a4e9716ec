package toolcall_test

import (
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
)

func TestAHomeFolderBelowATemporaryFolderIsNotTemporary(t *testing.T) {
	env := &toolcall.Env{Root: "/tmp/work/home/project", Cwd: "/tmp/work/home/project", Home: "/tmp/work/home"}
	for command, deletes := range map[string]bool{
		"rm -rf ~/Documents":             true,
		"rm -rf ~/.cache/pip":            false,
		"rm -rf /tmp/work/build":         false,
		"rm -rf /tmp/other":              false,
		"rm -rf build":                   false,
		"export TMPDIR=~/t; rm -rf ~/t/": true,
	} {
		found := false
		for _, e := range toolcall.AnalyzeCommand(env, command).Effects {
			found = found || e.Has(effect.DestructiveOp)
		}
		if found != deletes {
			t.Errorf("%s: destructive is %v, want %v", command, found, deletes)
		}
	}
}
