package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"guardrails/server/mcp"
	"guardrails/service/tools"
)

// Only a check of an answer can ask a language model, and only if the settings name one.
func TestTheCheckOfAnAnswerIsOpenToTheWorldIfAModelIsSet(t *testing.T) {
	const model = "model: {url: 'http://127.0.0.1:9', name: small}\n"
	for _, c := range []struct {
		name, settings string
		want           bool
	}{
		{"no model", "safety: {mode: observe}\n", false},
		{"a model", model, true},
		{"a model that is not asked about answers", "model: {url: 'http://127.0.0.1:9', name: small, audit: false}\n", false},
		{"settings with a mistake", model + "strict: perhaps\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, plain := project(t)
			user := filepath.Join(t.TempDir(), "guardrails")
			check(t, os.MkdirAll(user, 0o755))
			check(t, os.WriteFile(filepath.Join(user, "guardrails.yaml"), []byte(c.settings), 0o600))
			env := func(name string) string {
				if name == "XDG_CONFIG_HOME" {
					return filepath.Dir(user)
				}
				return plain(name)
			}
			s := mcp.New(mcp.Options{Service: serviceAt(root, env), Version: "1.2.3", Detectors: listing(tools.Checks())})
			var list struct {
				Tools []struct {
					Name        string
					Annotations struct{ OpenWorldHint bool }
				}
			}
			check(t, json.Unmarshal(ask(t, s, "tools/list", `{}`), &list))
			for _, tool := range list.Tools {
				if want := c.want && tool.Name == tools.CheckResponse; tool.Annotations.OpenWorldHint != want {
					t.Errorf("%s: openWorldHint is %v", tool.Name, !want)
				}
			}
		})
	}
}
