//go:build unix

package run_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"guardrails/hooks/run"
)

// newInside returns an Inside for the machine. It gets its guidelines from the guardrails program.
func (m *machine) newInside() *run.Inside {
	return &run.Inside{
		Env: func(name string) string { return m.env[name] },
		Ask: func(request []byte) ([]byte, error) {
			c := exec.Command(m.bin+"/guardrails", "call", "guardrails_get_context", "-")
			c.Stdin, c.Dir = bytes.NewReader(request), m.project
			for key, value := range m.env {
				c.Env = append(c.Env, key+"="+value)
			}
			return c.Output()
		},
	}
}

// direct() takes the document that a hook program would receive. It passes the document to a value of the type Inside,
// and returns the answer of that value.
func (m *machine) direct(doc map[string]any, args []string) reply {
	m.t.Helper()
	call := map[string]any{"strict": slices.Contains(args, "--strict")}
	for name, value := range doc {
		text, isText := value.(string)
		if !isText {
			raw, err := json.Marshal(value)
			must(m.t, err)
			text = string(raw)
		}
		call[name] = text
	}
	out := string(m.newInside().Answer(encoded(m.t, call)))
	if out == "{}" {
		out = ""
	}
	r := m.parsed(out)
	if r.decision == "deny" {
		r.exit = 2
	}
	return r
}

// traces() returns the records of the machine, without the parts that differ from call to call.
func (m *machine) traces() []string {
	var out []string
	for _, r := range m.records() {
		maps.DeleteFunc(r, func(key string, _ any) bool {
			return key == "time" || key == "session_id" || key == "tool_use_id" || key == "project" || key == "micros"
		})
		out = append(out, strings.ReplaceAll(string(encoded(m.t, r)), m.project, ""))
	}
	slices.Sort(out)
	return out
}

func TestAHookInAServerAnswersAndRecordsWhatItsProgramDoes(t *testing.T) {
	notInShort(t)
	for name, spoil := range map[string]func(m *machine, of string){
		"all is well":                  func(m *machine, of string) { m.keepGuidelines([]string{of}) },
		"nothing is kept":              func(*machine, string) {},
		"the guidelines are broken":    func(m *machine, _ string) { m.guidelines("guidelines: [") },
		"the session's files are lost": func(m *machine, _ string) { must(m.t, exec.Command("mkdir", "-p", "-m", "0777", m.sessions).Run()) },
	} {
		t.Run(name, func(t *testing.T) {
			program, server := newMachine(t), newMachine(t)
			for _, p := range allProbes() {
				spoil(program, p.name)
				spoil(server, p.name)
				want := program.hook(p.hook, bytes.NewReader(encoded(t, p.doc(program, p.name))), p.args...)
				got := server.direct(p.doc(server, p.name), p.args)
				for _, r := range []*reply{&want, &got} {
					r.took, r.said = 0, ""
				}
				got.reason, want.reason = stable(got.reason, server), stable(want.reason, program)
				got.message, want.message = stable(got.message, server), stable(want.message, program)
				if got != want {
					t.Errorf("%s: the server says %+v\nthe program %+v", p.name, got, want)
				}
			}
			if got, want := server.traces(), program.traces(); !slices.Equal(got, want) {
				t.Errorf("the server leaves\n%s\nthe program\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// stable() replaces the parts of a text that differ between machines or runs: paths and codes.
func stable(text string, m *machine) string {
	text = strings.NewReplacer(m.project, "PROJECT", m.sessions, "RUN", m.bin, "BIN").Replace(text)
	if before, rest, ok := strings.Cut(text, "allow-once "); ok {
		text = before + "allow-once CODE" + rest[8:]
	}
	return text
}
