//go:build unix

package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// machine is a project with its own folders and environment, and with the programs installed.
type machine struct {
	t *testing.T
	// The fields "bin", "project", "sessions" and "state" are folders. The field "work" is a folder for other files of a
	// test.
	bin, project, sessions, state, work string
	env                                 map[string]string
	// The field "tasks" lists what the process of a program does before the program itself begins.
	tasks []string
	// The field "told" collects the messages that the user sees after prompts.
	told string
	// The field "deaf" is set if the programs cannot write to stdout.
	deaf bool
}

const usual = `
guidelines:
  - id: no-ui
    name: The user interface belongs to others
    category: cognitive_isolation
    priority: 800
    action: {type: tool_restriction, tools_denied: ["Write(src/ui/*)"], instruction: Leave src/ui alone.}
  - id: ask-deploy
    name: Deploys need a person
    category: hitl_gate
    priority: 900
    condition: {events: [devops_invocation]}
    action: {type: hitl_gate, gate_type: deploy, gate_threshold: mandatory}
`

func newMachine(t *testing.T) *machine {
	t.Helper()
	// A socket's path must be short.
	base, err := os.MkdirTemp("", "gr-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(base)) })
	base, err = filepath.EvalSymlinks(base)
	must(t, err)
	m := &machine{t: t, bin: base + "/bin", project: base + "/project", sessions: base + "/run", work: base + "/work"}
	m.env = map[string]string{
		"HOME": base + "/home", "PATH": os.Getenv("PATH"), "GUARDRAILS_CACHE_DIR": m.sessions, "CLAUDE_PROJECT_DIR": m.project, "CLAUDE_CODE_ENTRYPOINT": "cli",
	}
	m.state = m.env["HOME"] + "/.local/state/guardrails"
	for _, dir := range []string{m.bin, m.project + "/.git", m.project + "/.claude/guardrails", m.env["HOME"], m.work} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	from, err := programs()
	must(t, err)
	for _, name := range product.Programs() {
		// A hard link would change the ctime of the program's file. The hooks of other test machines use the same file
		// and would report it as changed.
		must(t, copyProgram(from+"/"+name, m.bin+"/"+name))
	}
	m.guidelines(usual)
	return m
}

// copyProgram() copies a program. Meanwhile, no test may start a process: the new process would keep the copy open for
// writing for a moment, and the kernel runs no program that is open for writing.
func copyProgram(from, to string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err == nil {
		_, err = io.Copy(out, in)
		err = errors.Join(err, out.Close())
	}
	return errors.Join(err, in.Close())
}

func (m *machine) dir() *private.Dir {
	m.t.Helper()
	d, err := private.Runtime(func(name string) string { return m.env[name] })
	must(m.t, err)
	return d
}

// sealed() sets the time of a session's cache and signs it.
func (m *machine) sealed(path string, text []byte, from time.Time) []byte {
	m.t.Helper()
	must(m.t, cache.Seal(text, from, m.dir().KeyOf(filepath.Base(path))))
	return text
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *machine) guidelines(text string) {
	m.t.Helper()
	must(m.t, os.WriteFile(m.project+"/.claude/guardrails/rules.yaml", []byte(text), 0o600))
}

// cache() returns the path of the file with the cached guidelines for a session's main thread.
func (m *machine) cache(of string) string {
	return m.sessions + "/" + session.CacheName(session.Key(of, ""))
}

// A reply is the answer of a program: its exit code, its output, and the time that it took.
type reply struct {
	exit int
	// The field "said" is the whole output on stdout.
	said                        string
	decision, reason            string
	context, message, hookEvent string
	took                        time.Duration
}

// The constant "patience" is how long the client waits for a hook. Every hook must answer sooner.
const patience = 10 * time.Second

func (m *machine) hook(name string, stdin io.Reader, args ...string) reply {
	m.t.Helper()
	var out bytes.Buffer
	c := m.command(name, stdin, args...)
	c.Stdout = &out
	if m.deaf {
		c.Stdout = readOnly(m)
	}
	begin := time.Now()
	err := c.Run()
	r := m.parsed(out.String())
	r.took, r.exit = time.Since(begin), c.ProcessState.ExitCode()
	if exit, ended := errors.AsType[*exec.ExitError](err); err != nil && (!ended || exit.ExitCode() != 2) {
		m.t.Errorf("%s: %v: %s", name, err, out.String())
	}
	if r.took >= patience {
		m.t.Errorf("%s answered after %s", name, r.took)
	}
	return r
}

// inTime runs a hook again and again until it answers within its time limit. On a busy machine, a hook can exceed this
// limit. The method inTime is for tests that check what a hook decides, not how fast it is.
func (m *machine) inTime(name string, stdin []byte) reply {
	m.t.Helper()
	r := m.hook(name, bytes.NewReader(stdin))
	for range 5 {
		if !r.late() {
			break
		}
		r = m.hook(name, bytes.NewReader(stdin))
	}
	return r
}

// late() reports whether the hook missed its time limit.
func (r *reply) late() bool { return strings.Contains(r.said, "the check took too long") }

func readOnly(m *machine) *os.File {
	f, err := os.Open(os.DevNull)
	must(m.t, err)
	m.t.Cleanup(func() { _ = f.Close() })
	return f
}

func (m *machine) command(name string, stdin io.Reader, args ...string) *exec.Cmd {
	m.t.Helper()
	return m.program("guardrails-"+name, stdin, args...)
}

// program() returns the command that starts one of the programs. If the machine has tasks, the started program does them
// first.
func (m *machine) program(name string, stdin io.Reader, args ...string) *exec.Cmd {
	m.t.Helper()
	c := exec.Command(m.bin+"/"+name, args...)
	if len(m.tasks) > 0 {
		self, err := os.Executable()
		must(m.t, err)
		c = exec.Command(self, append([]string{c.Path}, args...)...)
		c.Env = append(c.Env, tasksVariable+"="+strings.Join(m.tasks, " "))
	}
	for key, value := range m.env {
		c.Env = append(c.Env, key+"="+value)
	}
	c.Stdin = stdin
	return c
}

// parsed() decodes the output of a program, which is empty or one JSON object.
func (m *machine) parsed(out string) reply {
	m.t.Helper()
	r := reply{said: out}
	if out == "" {
		return r
	}
	var doc struct {
		SystemMessage      string
		HookSpecificOutput struct{ HookEventName, PermissionDecision, PermissionDecisionReason, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		m.t.Errorf("%v: %s", err, out)
	}
	r.message, r.hookEvent = doc.SystemMessage, doc.HookSpecificOutput.HookEventName
	r.decision, r.reason = doc.HookSpecificOutput.PermissionDecision, doc.HookSpecificOutput.PermissionDecisionReason
	r.context = doc.HookSpecificOutput.AdditionalContext
	return r
}

func (r reply) verdict() string {
	switch {
	case r.exit == 2:
		return "deny"
	case r.decision == "":
		return "pass"
	}
	return r.decision
}

// event() returns a document for a hook, in the form that the client uses.
func (m *machine) event(name, of string, fields map[string]any) map[string]any {
	all := map[string]any{"hook_event_name": name, "session_id": of, "cwd": m.project}
	for key, value := range fields {
		all[key] = value
	}
	return all
}

func (m *machine) tool(of, tool, field, value string) map[string]any {
	return m.event(wire.PreToolUse, of, map[string]any{"tool_name": tool, "tool_input": map[string]any{field: value}, "tool_use_id": "t-" + of})
}

func encoded(t testing.TB, doc map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(doc)
	must(t, err)
	return text
}

// prompt() sends a prompt in a session to the hook for prompts.
func (m *machine) prompt(of, text string) reply {
	m.t.Helper()
	r := m.hook("inject", bytes.NewReader(encoded(m.t, m.event(wire.UserPromptSubmit, of, map[string]any{"prompt": text}))))
	m.told += r.message + "\n"
	return r
}

// records() returns all records in the spool. The spool is in the state folder or next to the files of sessions.
func (m *machine) records() []map[string]any {
	m.t.Helper()
	var out []map[string]any
	for _, dir := range []string{m.state, m.sessions} {
		files, err := filepath.Glob(dir + "/spool/*.jsonl")
		must(m.t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(m.t, err)
			for line := range strings.Lines(string(text)) {
				var r map[string]any
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					m.t.Errorf("a torn line: %v: %s", err, line)
				}
				out = append(out, r)
			}
		}
	}
	return out
}
