package hooks_test

import "testing"

const fileRules = `
guidelines:
  - id: ask-before-migrations
    name: Migrations
    category: hitl_gate
    condition: {paths: ["migrations/**"], events: [file_write, file_delete]}
    action: {type: hitl_gate, gate_type: migration}
  - id: ask-before-payouts
    name: Payment runs
    category: hitl_gate
    action: {type: hitl_gate, gate_type: payout, tools_asked: ["Bash(make payout:*)", "Write(recipients.csv)"]}
  - id: folders
    name: The backend agent's folders
    category: cognitive_isolation
    condition: {agents: [backend]}
    action: {type: tool_restriction, tools_allowed: ["Write(src/*)", "Write(migrations/*)", "Write(recipients.csv)", Bash, Read]}
`

func TestReadingIsNotWriting(t *testing.T) {
	for _, c := range []struct {
		call map[string]any
		want string
	}{
		{call("Write", "file_path", "migrations/1.sql"), "ask"},
		{call("Bash", "command", "echo x > migrations/1.sql"), "ask"},
		{call("Bash", "command", "sed -i s/a/b/ migrations/1.sql"), "ask"},
		{call("Bash", "command", "rm migrations/1.sql"), "ask"},
		{call("Bash", "command", "cat migrations/1.sql"), "pass"},
		{call("Read", "file_path", "migrations/1.sql"), "pass"},
		{call("Grep", "path", "migrations"), "pass"},
		{call("Write", "file_path", "recipients.csv"), "ask"},
		{call("Bash", "command", "make payout MONTH=3"), "ask"},
		{call("Bash", "command", "make test && cat recipients.csv"), "pass"},
		{call("Bash", "command", "echo x > docs/a"), "deny"},
		{call("Bash", "command", "echo x > src/a"), "pass"},
	} {
		s := newStage(t, fileRules)
		s.prompt("go on")
		if o := s.pre(c.call); verdict(o) != c.want {
			t.Errorf("%v: %s, want %s (%s)", c.call, verdict(o), c.want, o.Reason)
		}
	}
}
