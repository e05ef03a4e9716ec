package doctor

import (
	"testing"

	"guardrails/setup"
)

func TestOnlyOurEntriesAndDisableAllHooksAreCopied(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no settings":         {`{}`, `{}`},
		"a blank file":        {" \n", `{}`},
		"secrets and servers": {`{"env": {"TOKEN": "x"}, "permissions": {"deny": ["Write"]}, "enabledPlugins": {"a": true}}`, `{}`},
		"disableAllHooks":     {`{"disableAllHooks": true}`, `{"disableAllHooks":true}`},
		"hooks of others": {
			`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "rm -rf /"}]}], "PreToolUse": [{"matcher": "Bash", "extra": 1, "hooks": [
				{"type": "command", "command": "logger"}, {"type": "command", "command": "/o/guardrails-enforce", "args": [], "if": "Read(*)"}]}]}}`,
			`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/o/guardrails-enforce","args":[],"if":"Read(*)"}],"matcher":"Bash"}]}}`,
		},
		"hooks of another type": {`{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "guardrails-stop"}]}]}}`, `{"hooks":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := copyOf(&settingsFile{text: []byte(c.text)})
			if err != nil || string(out.text) != c.want {
				t.Errorf("got %s, %v", out.text, err)
			}
		})
	}
}

func FuzzCopy(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(`{"disableAllHooks": true, "hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "guardrails-stop"}]}]}}`))
	f.Add([]byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "guardrails-stop; logger"}, {"type": "command", "command": "logger"}]}]}}`))
	f.Add([]byte(`{"hooks": {"Stop": [null, {"hooks": null}]}, "hooks": 3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := settingsFile{text: text}
		if file.entries, file.err = setup.Hooks("settings.json", text); file.err != nil {
			return
		}
		out, err := copyOf(&file)
		if err != nil {
			t.Fatalf("Hooks accepts %s, but copyOf rejects it: %v", text, err)
		}
		for _, e := range out.entries {
			if !e.Ours() {
				t.Fatalf("%s is not ours", e.Command)
			}
		}
		if out.err != nil || len(out.entries) != len(file.ours()) {
			t.Fatalf("%d of %d entries were copied (%v): %s", len(out.entries), len(file.ours()), out.err, out.text)
		}
	})
}
