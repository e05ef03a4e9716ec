package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"guardrails/cli/clitest"
	"guardrails/hooks"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/product"
)

func TestDetectNamesTheAgentThatHooksUse(t *testing.T) {
	for name, c := range map[string]struct{ settings, session, want string }{
		"no agent":                           {"packs: []\n", "", ""},
		"the project's":                      {"packs: []\ndefault_agent: pm\n", "", "pm"},
		"the session's":                      {"packs: []\n", "qa", "qa"},
		"the session's before the project's": {"packs: []\ndefault_agent: pm\n", "qa", "qa"},
	} {
		t.Run(name, func(t *testing.T) {
			s := clitest.New(t, map[string]string{".claude/guardrails.yaml": c.settings})
			s.Env[product.VariableAgent], s.Env["XDG_STATE_HOME"] = c.session, filepath.Join(t.TempDir(), "state")
			if got := agentIn(t, s.Must("guardrails detect hello -o json")); got != c.want {
				t.Errorf("detect names %q, want %q", got, c.want)
			}
			if got := agentOfHook(t, s); got != c.want {
				t.Errorf("a hook uses %q, want %q", got, c.want)
			}
		})
	}
}

// agentOfHook runs a hook that sends its requests to the command "guardrails call". It returns the agent in the answer.
func agentOfHook(t *testing.T, s *clitest.Session) string {
	t.Helper()
	var answer struct{ Context json.RawMessage }
	h := &hooks.Host{Machine: &host.Machine{Env: func(name string) string { return s.Env[name] }}, Now: time.Now}
	h.Ask = func(request []byte) ([]byte, error, error) {
		text := []byte(s.Must("guardrails call guardrails_get_context '" + string(request) + "'"))
		return text, nil, json.Unmarshal(text, &answer)
	}
	hooks.Inject(h, &wire.Event{Name: wire.UserPromptSubmit, Session: "s", Cwd: s.Root, Root: s.Root, Prompt: "hello"})
	return agentIn(t, string(answer.Context))
}

func agentIn(t *testing.T, text string) string {
	t.Helper()
	var answer struct{ Agent string }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Agent
}
