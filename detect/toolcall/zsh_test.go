package toolcall_test

import (
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
)

func TestZshIsTheShellOfACommandWithALongText(t *testing.T) {
	env := &toolcall.Env{Root: "/p", Cwd: "/p", Home: "/home/dev", Variable: func(string) string { return "/bin/zsh" }}
	for _, size := range []int{1, 5000} {
		found := false
		command := "aliases[tidy]='rm -rf src'; echo '" + strings.Repeat("x", size) + "'; eval tidy"
		for _, e := range toolcall.AnalyzeCommand(env, command).Effects {
			found = found || e.Has(effect.DestructiveOp)
		}
		if !found {
			t.Errorf("with a text of %d bytes, the alias was not followed", size)
		}
	}
}
