package service_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/service"
)

// The variable "reacting" has guidelines about what detectors notice.
var reacting = strings.Join([]string{
	rule("again", "priority: 500\ncondition: {events: [rumination]}\naction: {type: instruction, instruction: Offer a second view.}"),
	rule("circles", "priority: 500\ncondition: {events: [tool_loop]}\naction: {type: instruction, instruction: Stop and think.}"),
	rule("ask", "priority: 500\ncondition: {events: [tool_loop]}\naction: {type: hitl_gate, gate_type: loops}"),
	rule("data", "priority: 500\ncondition: {events: [pii_found]}\naction: {type: telemetry}"),
	rule("held", "priority: 500\ncondition: {events: [safety_hold]}\naction: {type: instruction, instruction: Be gentle.}"),
	rule("blocked", "priority: 500\ncondition: {events: [output_blocked]}\naction: {type: instruction, instruction: Name no number.}"),
	rule("seen", "priority: 500\ncondition: {events: [safety_blocked, output_hold]}\naction: {type: telemetry}"),
	rule("other", "priority: 500\ncondition: {agents: [other], events: [rumination]}\naction: {type: instruction, instruction: no}"),
	rule("always", "priority: 500\naction: {type: instruction, instruction: Be kind.}"),
}, "\n")

func TestGuidelinesReactToWhatADetectorNoticed(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		event          effect.Event
		text, recorded string
	}{
		{"an instruction, and no record about a person", "", effect.Rumination, "Offer a second view. (again)", ""},
		{
			"a record about a person that the settings want", "detectors: {record: true}\n", effect.Rumination,
			"Offer a second view. (again)", "detector detected, decision warn again",
		},
		{"nothing to say", "", effect.Hyperfocus, "", ""},
		{"a loop is recorded, and the gate waits for the next call", "", effect.ToolLoop, "Stop and think. (circles)", "decision warn circles"},
		{"telemetry of personal data", "", effect.PIIFound, "", "decision warn data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				".claude/guardrails.yaml": "packs: []\n", ".claude/guardrails/a.yaml": reacting,
			})
			if c.settings != "" {
				p.user(c.settings)
			}
			r := &service.Request{Hook: true, Context: guideline.Context{Agent: "main", SessionID: "s"}}
			text, err := p.service().React(t.Context(), r, c.event)
			check(t, err)
			if got := p.spooled(); text != c.text || got != c.recorded {
				t.Errorf("got %q, recorded %q", text, got)
			}
		})
	}
}

// spooled() returns the kinds, outcomes and guidelines of the records in the spool.
func (p *project) spooled() string {
	p.t.Helper()
	var out []string
	for line := range strings.FieldsFuncSeq(p.spoolText(), func(r rune) bool { return r == '\n' }) {
		out = append(out, strings.TrimSpace(member(line, "kind")+" "+member(line, "outcome")+" "+member(line, "guideline_id")))
	}
	return strings.Join(out, ", ")
}

// spoolText returns the records in the spool.
func (p *project) spoolText() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool", p.now.Format("2006-01-02")+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	check(p.t, err)
	return string(text)
}

// member() returns the text in the given field of a JSON object. The object is one line of text.
func member(line, name string) string {
	_, rest, _ := strings.Cut(line, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func TestSessionsKeepOnlyThoseGuidelinesAboutDetectorsThatAskAboutACall(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\n", ".claude/guardrails/a.yaml": reacting})
	a := p.hook("hello")
	if len(a.Notices) > 0 {
		t.Fatal(a.Notices)
	}
	cached := cacheOf(t, a)
	if got := cached.ids(); got != "always ask" {
		t.Errorf("cached %q", got)
	}
	if strings.Contains(a.Injection, "second view") || !strings.Contains(a.Injection, "Be kind.") {
		t.Errorf("%s", a.Injection)
	}
}

func TestTheGuidelineAboutLoopsAsksIfTheSettingsSaySo(t *testing.T) {
	for settings, want := range map[string]bool{
		"": false, "detectors: {tool_loop: off}\n": false, "detectors: {tool_loop: ask}\n": true,
	} {
		p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: [core]\n" + settings})
		cached := cacheOf(t, p.hook("hello"))
		if got := strings.Contains(" "+cached.ids()+" ", " agent-loop "); got != want {
			t.Errorf("%q: %v", settings, got)
		}
	}
}
