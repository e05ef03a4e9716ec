package hooks

import (
	"encoding/json"
	"testing"

	"guardrails/hooks/wire"
	"guardrails/host"
)

func TestARequestContainsTheSettingsOfTheSessionsEnvironment(t *testing.T) {
	for want, list := range map[string][]string{
		`null`: nil,
		`{"GUARDRAILS_EXCEPTIONS":"[{\"reason\": \"a=b\"}]","GUARDRAILS_TENANT":"acme"}`: {"GUARDRAILS_TENANT=acme", `GUARDRAILS_EXCEPTIONS=[{"reason": "a=b"}]`},
	} {
		w := &Host{Machine: &host.Machine{Env: func(string) string { return "" }}, Settings: func() []string { return list }}
		var asked struct {
			Environment map[string]string
			Hook        bool
		}
		if err := json.Unmarshal(w.request(&wire.Event{Cwd: "/p"}), &asked); err != nil || !asked.Hook {
			t.Fatalf("%v, %+v", err, asked)
		}
		if got, _ := json.Marshal(asked.Environment); string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
