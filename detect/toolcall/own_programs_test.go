package toolcall_test

import (
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/internal/product"
)

func TestEveryProgramOfTheProductIsGuarded(t *testing.T) {
	env := &toolcall.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	for _, name := range product.Programs() {
		for _, command := range []string{
			"rm ~/.local/bin/" + name,
			"cp /bin/true ~/.local/bin/" + name,
			"cp ~/.local/bin/" + name + " x",
			"chmod -x ~/.local/bin/" + name,
			"pkill -f " + name,
		} {
			guarded := false
			for _, e := range toolcall.AnalyzeCommand(env, command).Effects {
				guarded = guarded || e.Has(effect.GuardTamper)
			}
			if !guarded {
				t.Errorf("%s is not an event guard_tamper", command)
			}
		}
	}
}
