package host

import (
	"encoding/json"
	"slices"
	"testing"

	"guardrails/detect/effect"
)

// In the client's settings, the guard's programs have no path, only a name. So an agent must not put other programs
// where the client would find them first.
func TestProgramsThatTheClientWouldFindByNameAreGuarded(t *testing.T) {
	variables := map[string]string{"HOME": "/home/u", "PATH": "/p/node_modules/.bin:bin:/home/u/.local/bin:/usr/bin"}
	m := &Machine{
		Env:     func(name string) string { return variables[name] },
		Guarded: guarded(func(name string) string { return variables[name] }, "/home/u/.local/bin/guardrails-enforce", nil),
	}
	for command, tampers := range map[string]bool{
		"cp /bin/true node_modules/.bin/guardrails-enforce":       true,
		"ln -s /bin/true bin/guardrails-enforce":                  true,
		"cd src && cp /bin/true ../bin/guardrails":                true,
		"cp /bin/true build/guardrails-enforce":                   false,
		"go build -o /tmp/x/guardrails-enforce ./cmd/enforce":     false,
		"cp /bin/true ~/.local/bin/guardrails-inject":             true,
		"echo 'packs: []' > ~/.config/guardrails/guardrails.yaml": true,
		"cat ~/.config/guardrails/guardrails.yaml":                false,
	} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		tampering := func(e effect.Effect) bool { return slices.Contains(e.Events, effect.GuardTamper) }
		if got := slices.ContainsFunc(m.Analyze("/p", "/p", "Bash", input).Effects, tampering); got != tampers {
			t.Errorf("%s: tampers is %v", command, got)
		}
	}
}
