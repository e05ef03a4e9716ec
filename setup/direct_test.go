package setup_test

import (
	"flag"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/setup"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// withDirect selects the setup in which the client calls the server instead of running hook programs.
func withDirect(o *setup.Options) { o.Direct, o.MCP = true, true }

func TestDirectProjectMatchesTheGoldenFiles(t *testing.T) {
	for name, change := range map[string]func(*setup.Options){
		"direct":        withDirect,
		"direct_strict": func(o *setup.Options) { withDirect(o); o.Strict = true },
	} {
		golden.Check(t, *update, "testdata/"+name+".json", disk{}.setUp(t, change)[settingsFile])
	}
}

// SessionEnd must run a program, because the client disconnects its servers before it sends this event.
func TestSessionStartAndEndRunProgramsInBothModes(t *testing.T) {
	o := disk{}.project()
	withDirect(&o)
	for _, e := range setup.Wanted(o) {
		program := e.Event == "SessionStart" || e.Event == "SessionEnd" || e.Program() == setup.Presence
		if e.Direct() == program || e.OnFailure == "block" != (e.Event == "PreToolUse") || !e.Ours() {
			t.Errorf("%+v", e)
		}
	}
}

func TestEachModeReplacesTheOther(t *testing.T) {
	programs, calls := disk{}.setUp(t, func(o *setup.Options) { o.MCP = true }), disk{}.setUp(t, withDirect)
	for _, c := range []struct {
		from, to disk
		way      func(*setup.Options)
		said     string
	}{
		{programs, calls, withDirect, "PreToolUse: calls the server instead of the program (line 43)"},
		{calls, programs, func(o *setup.Options) { o.MCP = true }, "PreToolUse: runs the program instead of calling the server (line 41)"},
	} {
		o := c.from.project()
		c.way(&o)
		got, plan := c.from.filesAfter(t, o)
		if got[settingsFile] != c.to[settingsFile] {
			t.Errorf("got\n%s\nwant\n%s", got[settingsFile], c.to[settingsFile])
		}
		if said := reasons(plan, settingsFile); len(said) != 7 || !strings.Contains(strings.Join(said, "\n"), c.said) {
			t.Errorf("the reasons are %q, want %q", said, c.said)
		}
	}
}

func TestWrongDirectEntryIsFixedAndReported(t *testing.T) {
	want := disk{}.setUp(t, withDirect)[settingsFile]
	for _, c := range []struct{ name, old, damaged, reason string }{
		{"no input", `, "tool_input": "${tool_input}"`, ``, "corrects the input"},
		{"another input", `"tool_name": "${tool_name}"`, `"tool_name": "Read"`, "corrects the input"},
		{"failure lets the call run", `"onFailure": "block"`, `"onFailure": "continue"`, "corrects onFailure"},
		{"an if that leaves calls out", `"onFailure": "block"`, `"onFailure": "block", "if": "Read(docs/*)"`, `corrects "if"`},
		{"timeout shortened", `"timeout": 10,`, `"timeout": 1,`, "corrects the timeout of 1 s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, rest, _ := strings.Cut(want, `"PreToolUse"`)
			damaged := before + `"PreToolUse"` + strings.Replace(rest, c.old, c.damaged, 1)
			got, said := fixed(t, damaged, withDirect)
			if damaged == want || got != want || len(said) != 1 || !strings.HasPrefix(said[0], "PreToolUse: "+c.reason) {
				t.Errorf("the reasons are %q, got\n%s", said, got)
			}
		})
	}
}

func TestDirectEntryOfAnEventWithoutAHookIsRemoved(t *testing.T) {
	const stray = `{"hooks": {"Notification": [{"hooks": [{"type": "mcp_tool", "server": "guardrails", "tool": "guardrails_hook"}]}]}}`
	got, said := fixed(t, stray, withDirect)
	if strings.Contains(got, "Notification") || !strings.Contains(strings.Join(said, "\n"), "Notification: removes guardrails_hook (line 1), because it belongs to another event") {
		t.Errorf("the reasons are %q, got\n%s", said, got)
	}
}

func TestEntriesOfOtherServersAndToolsAreNotOurs(t *testing.T) {
	for _, entry := range []string{
		`{"type": "mcp_tool", "server": "other", "tool": "guardrails_hook"}`,
		`{"type": "mcp_tool", "server": "guardrails", "tool": "guardrails_get", "input": {"id": "${tool_name}"}}`,
		`{"type": "mcp_tool", "server": 5, "tool": {}, "input": "x"}`,
		`{"type": "prompt", "server": "guardrails", "tool": "guardrails_hook"}`,
	} {
		found, err := setup.Hooks("s.json", []byte(`{"hooks": {"PreToolUse": [{"hooks": [`+entry+`]}]}}`))
		if err != nil || len(found) != 1 || found[0].Ours() {
			t.Errorf("%s: %+v, %v", entry, found, err)
		}
	}
}

func TestDirectEntryHasTheFieldsThatItsHookReads(t *testing.T) {
	o := disk{}.project()
	withDirect(&o)
	o.Strict = true
	for _, e := range setup.Wanted(o) {
		if e.Direct() && e.Strict() != (e.Program() == "guardrails-enforce") {
			t.Errorf("%s: strict is %v", e.Event, e.Strict())
		}
		for name, value := range e.Input {
			if name != "strict" && value != "${"+name+"}" {
				t.Errorf("%s: %s is %v", e.Event, name, value)
			}
		}
	}
}

func TestUninstallRestoresADirectProjectExactly(t *testing.T) {
	for seed := range seeds(200) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 7))}
		before := w.disk()
		during := before.setUp(t, withDirect)
		if again := during.setUp(t, withDirect); !maps.Equal(again, during) {
			t.Fatalf("seed %d: a second run changes\n%v\ninto\n%v", seed, during, again)
		}
		switched := before.setUp(t, func(o *setup.Options) { o.MCP = true }).setUp(t, withDirect)
		for _, set := range []disk{during, switched} {
			if after := set.uninstalled(t); !maps.Equal(after, before) {
				t.Fatalf("seed %d: after\n%q\nbefore\n%q", seed, after, before)
			}
		}
	}
}
