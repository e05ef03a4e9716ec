package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/internal/spool"
	"guardrails/setup"
)

type watched struct {
	t       testing.TB
	base    string
	project string
	dir     *private.Dir
}

var statusNow = time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)

func (w *watched) env(name string) string {
	return map[string]string{
		"HOME": w.base + "/home", "XDG_STATE_HOME": w.base + "/state",
		"GUARDRAILS_CACHE_DIR": w.base + "/run",
	}[name]
}

func newWatched(t testing.TB) *watched {
	t.Helper()
	w := &watched{t: t, base: t.TempDir()}
	w.project = filepath.Join(w.base, "project")
	if err := os.Mkdir(w.project, 0o755); err != nil {
		t.Fatal(err)
	}
	target := setup.ForProject(w.project)
	plan, err := setup.Prepare(setup.Options{Target: target, Bin: "/opt/guardrails/bin", Read: target.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(target); err != nil {
		t.Fatal(err)
	}
	if w.dir, err = private.Runtime(w.env); err != nil {
		t.Fatal(err)
	}
	return w
}

// saw() creates the files that hooks create at the given events.
func (w *watched) saw(events ...string) {
	w.t.Helper()
	for _, event := range events {
		w.must(w.dir.Touch(session.BeatName("s1", event)))
	}
}

func (w *watched) keeps(cache string) {
	w.t.Helper()
	w.must(w.dir.Write(session.CacheName("s1"), []byte(cache)))
}

func (w *watched) records(lines ...string) {
	w.t.Helper()
	state, err := private.StateDir(w.env)
	w.must(err)
	for _, line := range lines {
		w.must(spool.Append(state, statusNow, []byte(line)))
	}
}

// shows() records the address of the page, as the process that offers the page does. It removes the record when the
// test ends.
func (w *watched) shows(address string) {
	w.t.Helper()
	w.must(page.Write(w.dir, page.Place{Address: address}))
	w.must(w.dir.Touch(page.Shown))
	lock, _, err := w.dir.OpenFile(page.Shown)
	w.must(err)
	taken, err := lock.TryLock()
	w.must(err)
	if !taken {
		w.t.Fatal("another process has the page")
	}
	w.t.Cleanup(func() { w.must(lock.Close()) })
}

func (w *watched) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// statusLine runs the command "statusline" with the given stdin and returns what it prints.
func (w *watched) statusLine(stdin string, args ...string) string {
	w.t.Helper()
	var out, errs bytes.Buffer
	code := cli.Run(append([]string{"statusline"}, args...), &app.System{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Env: w.env, Cwd: w.base, Now: func() time.Time { return statusNow },
	})
	if code != app.OK || errs.Len() > 0 {
		w.t.Errorf("exit %d: %s", code, errs.String())
	}
	return out.String()
}

func (w *watched) input(more string) string {
	return `{"session_id":"s1","workspace":{"project_dir":"` + w.project + `"}` + more + `}`
}

const denied = `{"time":"2026-02-05T09:57:30Z","kind":"decision","outcome":"deny","session_id":"s1","guideline_id":"nobody-writes"}`

func TestTheStatusLineSaysWhetherTheSessionIsGuarded(t *testing.T) {
	for _, c := range []struct {
		name, want string
		left       func(w *watched)
	}{
		{"before the first event", "guardrails ready", func(*watched) {}},
		{"a prompt", "guardrails on · 2 guidelines", func(w *watched) {
			w.saw(wire.UserPromptSubmit)
			w.keeps(`{"source":"files","guidelines":[{},{}]}`)
		}},
		{"a page", "guardrails on · 1 guideline · http://127.0.0.1:7117/ui", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"files","guidelines":[{}]}`)
			w.shows("127.0.0.1:7117")
		}},
		{"a page of a process that has ended", "guardrails on", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.must(page.Write(w.dir, page.Place{Address: "127.0.0.1:7117"}))
			w.must(w.dir.Touch(page.Shown))
		}},
		{"settings that need trust", "guardrails on · 1 guideline · 3 settings ignored: guardrails trust", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"files","guidelines":[{}],"needs_trust":3}`)
		}},
		{"what people write is checked", "guardrails on · 1 guideline · safety: observe · output guard: enforce", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"files","guidelines":[{}],"safety":"observe","output_guard":"enforce"}`)
		}},
		{"the session has ended", "guardrails on", func(w *watched) { w.saw(wire.UserPromptSubmit, wire.PreToolUse) }},
		{"a broken cache", "guardrails on", func(w *watched) { w.saw(wire.PreToolUse); w.keeps(`{"source`) }},
		{
			"unchecked tools", "guardrails NOT SEEN: tool calls are not checked (guardrails doctor) · 1 guideline",
			func(w *watched) {
				w.saw(wire.UserPromptSubmit, wire.PostToolUse)
				w.keeps(`{"source":"files","guidelines":[{}]}`)
			},
		},
		{"the last known guidelines", "guardrails on · 1 guideline (last known)", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"snapshot","guidelines":[{}]}`)
		}},
		{
			"static rules", "guardrails on · 0 guidelines (only the readable ones)",
			func(w *watched) { w.saw(wire.PreToolUse); w.keeps(`{"source":"static","guidelines":[]}`) },
		},
		{"the session continues without the project's guidelines", "guardrails OPEN: the project's guidelines do not apply (guardrails fallback) · 2 calls not checked", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"open","guidelines":[]}`)
			w.must(w.dir.Append(session.GapName("s1"), []byte("2026-02-05T09:59:00Z why")))
			w.must(w.dir.Append(session.GapName("s1"), []byte("2026-02-05T09:59:01Z why")))
		}},
		{"a refusal", "guardrails on · denied nobody-writes 2 min ago", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.records(denied, `{"time":"2026-02-05T09:58:00Z","kind":"decision","outcome":"allow","session_id":"s1"}`)
		}},
		{"a question after a refusal", "guardrails on · asked contracts just now", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.records(denied, `{"time":"2026-02-05T09:59:59Z","kind":"decision","outcome":"ask","session_id":"s1","guideline_id":"contracts"}`, "torn")
		}},
		{"a question that waits for an answer", "guardrails asks: Write contracts/a.json? Rule: Contracts (contracts). · 1 guideline", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.keeps(`{"source":"files","guidelines":[{}]}`)
			w.records(denied)
			w.must(w.dir.Write(session.AskName("s1", "t1"), []byte(`{"guideline":"contracts","reason":"Write contracts/a.json? Rule: Contracts (contracts)."}`)))
			w.must(w.dir.Write(session.AskName("s1", "t2"), []byte(`{"guideline":"torn`)))
			w.must(w.dir.Write(session.AskName("s2", "t3"), []byte(`{"reason":"Another session?"}`)))
		}},
		{"a refusal in another session", "guardrails on", func(w *watched) {
			w.saw(wire.PreToolUse)
			w.records(strings.Replace(denied, "s1", "s2", 1))
		}},
		{
			"a folder of another user",
			"guardrails ?: $BASE/run can be written by others, who may have left files in it; remove it, or set GUARDRAILS_CACHE_DIR to another folder", func(w *watched) {
				w.must(os.Chmod(w.base+"/run", 0o777))
			},
		},
		{"no hooks", "guardrails OFF: no hooks in the settings of this folder (guardrails init)", func(w *watched) {
			w.must(os.Remove(w.project + "/.claude/settings.json"))
		}},
		{
			"broken settings", "guardrails OFF: no hooks in the settings of this folder (guardrails init)",
			func(w *watched) {
				w.must(os.WriteFile(w.project+"/.claude/settings.json", []byte("{"), 0o600))
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWatched(t)
			c.left(w)
			if got := strings.ReplaceAll(w.statusLine(w.input("")), w.base, "$BASE"); got != c.want+"\n" {
				t.Errorf("got  %swant %s", got, c.want)
			}
		})
	}
}

func TestTheStatusLineFindsToolsInTheTranscript(t *testing.T) {
	w := newWatched(t)
	w.saw(wire.UserPromptSubmit)
	transcript := filepath.Join(w.base, "t.jsonl")
	w.must(os.WriteFile(transcript, []byte(`{"message":{"content":[{"type":"tool_result"}]}}`+"\n"), 0o600))
	if got := w.statusLine(w.input(`,"transcript_path":"` + transcript + `"`)); !strings.HasPrefix(got, "guardrails NOT SEEN") {
		t.Errorf("got %s", got)
	}
}

// If a session starts in a folder below the project's root, the session does not read the project's settings.
func TestTheStatusLineIsOffInAFolderBelowTheProject(t *testing.T) {
	w := newWatched(t)
	w.must(os.MkdirAll(w.project+"/src", 0o755))
	w.must(os.MkdirAll(w.project+"/.git", 0o755))
	if got := w.statusLine(`{"session_id":"s1","cwd":"` + w.project + `/src"}`); !strings.HasPrefix(got, "guardrails OFF") {
		t.Errorf("got %s", got)
	}
}

func TestTheStatusAsJSON(t *testing.T) {
	w := newWatched(t)
	w.saw(wire.PreToolUse)
	w.keeps(`{"source":"snapshot","reason":"a.yaml is broken","guidelines":[{}]}`)
	w.records(denied)
	want := `{
  "session_id": "s1",
  "guard": "on",
  "guidelines": 1,
  "source": "snapshot",
  "reason": "a.yaml is broken",
  "last": {
    "outcome": "deny",
    "guideline_id": "nobody-writes",
    "time": "2026-02-05T09:57:30Z"
  }
}
`
	if got := w.statusLine(w.input(""), "-o", "json"); got != want {
		t.Errorf("got %s", got)
	}
}

func TestTheStatusLineNamesTheFileThatSwitchesHooksOff(t *testing.T) {
	w := newWatched(t)
	file := filepath.Join(w.project, ".claude", "settings.local.json")
	w.must(os.WriteFile(file, []byte("{\n \"disableAllHooks\": true\n}"), 0o600))
	want := "guardrails OFF: " + file + ":2 disables every hook (disableAllHooks)\n"
	if got := w.statusLine(w.input("")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzStatusline(f *testing.F) {
	f.Add(`{"session_id":"s1","transcript_path":"/dev/null","workspace":{"project_dir":"/"}}`)
	f.Add(`{"session_id":"../../x","cwd":"relative"}`)
	f.Add(`{"session_id":3}`)
	f.Add("")
	f.Add("\x00")
	w := newWatched(f)
	f.Fuzz(func(t *testing.T, stdin string) {
		got := (&watched{t: t, base: w.base}).statusLine(stdin)
		line, rest, whole := strings.Cut(got, "\n")
		if !strings.HasPrefix(line, "guardrails ") || rest != "" || !whole ||
			strings.ContainsFunc(line, unicode.IsControl) {
			t.Errorf("%q is not one line", got)
		}
	})
}
