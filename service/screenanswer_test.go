package service_test

import (
	"strings"
	"testing"

	"guardrails/service"
)

// reply() sends two requests to the service, as the hooks do: first the prompt, then the model's answer to it. It
// returns the service's reply to the second request.
func (p *project) reply(s *service.Service, prompt, text string, more ...func(*service.Request)) *service.Answer {
	p.t.Helper()
	r := service.Request{Prompt: prompt, Hook: true, MainThread: true}
	r.SessionID = "s-1"
	getContext(p.t, s, r)
	r.Prompt, r.Answer = "", text
	for _, set := range more {
		set(&r)
	}
	return getContext(p.t, s, r)
}

func again(r *service.Request)      { r.Again = true }
func ofSubagent(r *service.Request) { r.MainThread = false }

const unsafe = "Her SSN is 536-22-8145."

func TestTheAnswerOfAModelIsCheckedInTheModeOfTheSettings(t *testing.T) {
	const long = "Which of the two data models that we spoke about should I take for the billing reports, and why?"
	for _, c := range []struct {
		name, settings, prompt, answer string
		more                           func(*service.Request)
		// The field "counter" has a part of the text for the model. The field "told" has a part of the text for the
		// person.
		counter, told, recorded string
	}{
		{name: "off", answer: unsafe},
		{name: "only messages of a category are checked", settings: "{categories: {violence: enforce}}", answer: unsafe},
		{name: "observed", settings: "{mode: observe}", answer: unsafe, recorded: "safety_output block"},
		{
			name: "enforced", settings: "{mode: enforce}", answer: unsafe, counter: "Leave the number out",
			told: "The first one is still shown above.", recorded: "safety_output block",
		},
		{
			name: "enforced, for a subagent", settings: "{mode: enforce}", answer: unsafe, more: ofSubagent,
			counter: "third_party_pii", told: "third_party_pii", recorded: "safety_output block",
		},
		{
			name: "the second answer is as bad", settings: "{mode: enforce}", answer: unsafe, more: again,
			told: "The model is not asked again.", recorded: "safety_output block",
		},
		{name: "harmless", settings: "{mode: enforce}", answer: "The endpoint is there. See routes.go:12."},
		{
			name: "the user's own number", settings: "{mode: enforce}", prompt: "My SSN is 536-22-8145, is it valid?",
			answer: "536-22-8145 is a valid SSN.",
		},
		{
			name: "held", settings: "{mode: enforce}", answer: "Write me every day, or else.", recorded: "safety_output hold",
		},
		{
			name: "too short for a long question", settings: "{mode: observe}", prompt: long, answer: "Yes.",
			recorded: "safety_output hold",
		},
		{
			name: "a subagent did not read the prompt", settings: "{mode: observe}", prompt: long, answer: "Yes.",
			more: ofSubagent,
		},
		{
			name: "too cheerful for a sad message", settings: "{mode: observe}", prompt: "My father died on Monday.",
			answer: "Great news!! The build is green.", recorded: "safety_output hold",
		},
		{
			name: "a gate that is off", settings: "{mode: enforce, gates: {ValuesBoundary: off}}", answer: unsafe,
			recorded: "safety_output proceed",
		},
		{
			name: "a gate that only observes", settings: "{mode: enforce, gates: {ValuesBoundary: observe}}", answer: unsafe,
			recorded: "safety_output block",
		},
		{
			name:     "an observed gate does not hide one that is enforced",
			settings: "{mode: enforce, gates: {ValuesBoundary: observe, SocialRisk: enforce}}",
			answer:   unsafe + " Write me every day, or else.", recorded: "safety_output hold",
		},
		{
			name: "only a gate is on", settings: "{gates: {ValuesBoundary: enforce}}", answer: unsafe, counter: "third_party_pii",
			told: "The first one is still shown above.", recorded: "safety_output block",
		},
		{
			name: "the other gates are off", settings: "{gates: {ValuesBoundary: enforce}}", answer: "Write me every day, or else.",
		},
		{name: "personal data", settings: "{mode: enforce}", answer: "Mail anna@firma.de.", recorded: "safety_output proceed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			if c.settings != "" {
				p.user("safety: " + c.settings + "\n")
			}
			if c.prompt == "" {
				c.prompt = "hello"
			}
			if c.more == nil {
				c.more = func(*service.Request) {}
			}
			a := p.reply(p.service(), c.prompt, c.answer, c.more)
			for _, got := range [][2]string{{a.Counter, c.counter}, {a.Message, c.told}} {
				if (got[0] == "") != (got[1] == "") || !strings.Contains(got[0], got[1]) {
					t.Errorf("got %q, want %q", got[0], got[1])
				}
				if strings.Contains(got[0], "536-22") {
					t.Errorf("the text repeats the answer: %q", got[0])
				}
			}
			if got := p.spooledOf("safety_output"); got != c.recorded {
				t.Errorf("recorded %q", got)
			}
		})
	}
}

// spooledOf returns those parts of the result of spooled() that have the given kind.
func (p *project) spooledOf(kind string) string {
	var out []string
	for part := range strings.SplitSeq(p.spooled(), ", ") {
		if strings.HasPrefix(part, kind) {
			out = append(out, part)
		}
	}
	return strings.Join(out, ", ")
}

func TestAnAnswerThatOnlyAPolicyBlocksIsAskedForAgain(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
		"  - {name: secret, when: {stage: output, message_contains: project x}, actions: [{type: override_safety, action: BLOCK}]}\n"})
	p.user("safety: {mode: enforce}\n")
	if a := p.reply(p.service(), "hello", "This is Project X."); !strings.Contains(a.Counter, "policy secret") {
		t.Errorf("got %q", a.Counter)
	}
}

func TestAfterThreePromisesToBeThereTheNextPromptAsksTheModelForAnotherTone(t *testing.T) {
	for mode, wanted := range map[string]bool{"enforce": true, "observe": false} {
		p := newProject(t, nil)
		p.user("safety: {mode: " + mode + "}\n")
		s := p.withMemory()
		ask := func() string {
			r := service.Request{Prompt: "hello", Hook: true, MainThread: true}
			r.SessionID = "s-1"
			return getContext(t, s, r).Note
		}
		for range 3 {
			if note := ask(); note != "" {
				t.Errorf("%s: too early: %q", mode, note)
			}
			p.reply(s, "hello", "I'll always be here for you.")
		}
		if note := ask(); strings.Contains(note, "boundary_respectful") != wanted {
			t.Errorf("%s: got %q", mode, note)
		}
	}
}

func TestOnlyAnswersThatAPersonReadsAreShownToTheDetectors(t *testing.T) {
	p := newProject(t, nil)
	p.user("detectors: {sycophancy: note}\nsafety: {mode: observe}\n")
	s := p.service()
	for range 10 {
		if a := p.reply(s, "hello", "You're absolutely right! What a brilliant idea!"); a.Message != "" {
			t.Fatalf("got %q", a.Message)
		}
	}
}

func TestGuidelinesReactToVerdictsOfTheSafetyGate(t *testing.T) {
	const held = "Honestly I have no reason to live."
	for _, c := range []struct{ mode, prompt, answer, note, counter, recorded string }{
		{"enforce", held, "", "Be gentle. (held)", "", "safety_input hold, decision warn held"},
		{"observe", held, "", "", "", "safety_input hold, decision warn held"},
		{"enforce", "I want to kill myself", "", "", "", "safety_input block, decision warn seen"},
		{"enforce", "", unsafe, "", "Name no number. (blocked)", "safety_output block, decision warn blocked, decision warn data"},
		{"observe", "", unsafe, "", "", "safety_output block, decision warn blocked, decision warn data"},
		{"enforce", "", "Write me every day, or else.", "", "", "safety_output hold, decision warn seen"},
		{"enforce", "hello", "Mail anna@firma.de.", "", "", "safety_output proceed, decision warn data"},
	} {
		t.Run(c.mode+" "+c.prompt+c.answer, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\n", ".claude/guardrails/a.yaml": reacting})
			p.user("safety: {mode: " + c.mode + "}\n")
			var a *service.Answer
			if c.answer == "" {
				a = p.prompt(c.prompt)
			} else {
				a = p.reply(p.service(), "hello", c.answer)
			}
			if a.Note != c.note || !strings.Contains(a.Counter, c.counter) || p.spooled() != c.recorded {
				t.Errorf("note %q, counter %q, recorded %q", a.Note, a.Counter, p.spooled())
			}
		})
	}
}

func TestAnAnswerThatIsUnsafeForThePersonIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		name, settings, verdict, prompt string
		more                            func(*service.Request)
		counter, told, recorded         string
		calls                           int
	}{
		{
			name: "enforced", settings: "output_guard: {mode: enforce}\n", verdict: verdictUnsafe, prompt: grandiose,
			counter: "what is told in a story is not real", told: "OutputGuard: behavior_grandiose", recorded: "output_audit unsafe", calls: 1,
		},
		{
			name: "the second answer", settings: "output_guard: {mode: enforce}\n", verdict: verdictUnsafe, prompt: grandiose, more: again,
			told: "The model is not asked again.", recorded: "output_audit unsafe", calls: 1,
		},
		{
			name: "observed", settings: "output_guard: {mode: observe}\n", verdict: verdictUnsafe, prompt: grandiose,
			recorded: "output_audit unsafe", calls: 1,
		},
		{
			name: "safe", settings: "output_guard: {mode: enforce}\n", verdict: verdictSafe, prompt: grandiose,
			recorded: "output_audit safe", calls: 1,
		},
		{name: "no risk", settings: "output_guard: {mode: enforce}\n", verdict: verdictUnsafe, prompt: "add a test"},
		{name: "only the gates are on", settings: "safety: {mode: enforce}\n", verdict: verdictUnsafe, prompt: grandiose},
		{
			name: "the guard enforces, and the gates observe", settings: "safety: {mode: observe}\noutput_guard: {mode: enforce}\n",
			verdict: verdictUnsafe, prompt: grandiose, counter: "what is told in a story is not real", told: "OutputGuard",
			recorded: "output_audit unsafe", calls: 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, "report_verdict", c.verdict)
			p := newProject(t, nil)
			p.user(c.settings + j.settings(", context: false"))
			if c.more == nil {
				c.more = func(*service.Request) {}
			}
			a := p.reply(p.service(), c.prompt, agreement, c.more)
			for _, got := range [][2]string{{a.Counter, c.counter}, {a.Message, c.told}} {
				if (got[0] == "") != (got[1] == "") || !strings.Contains(got[0], got[1]) {
					t.Errorf("got %q, want %q", got[0], got[1])
				}
			}
			if got := p.spooledOf("output_audit"); got != c.recorded || j.calls() != c.calls {
				t.Errorf("recorded %q, %d calls", got, j.calls())
			}
			if !strings.Contains(c.settings, "safety") && p.spooledOf("safety_") != "" {
				t.Errorf("the gates are off, and recorded %q", p.spooled())
			}
		})
	}
}

// The rule wants to let the answer pass. It is not allowed to, so the gate decides, with the mode of the gate.
func TestARuleThatWasNotAllowedToLoosenIsNotTheCause(t *testing.T) {
	for gate, wantCounter := range map[string]string{"observe": "", "enforce": "ValuesBoundary: third_party_pii"} {
		p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
			"  - {name: soft, actions: [{type: override_safety, action: PROCEED}]}\n"})
		p.user("safety: {mode: enforce, gates: {ValuesBoundary: " + gate + "}}\n")
		a := p.reply(p.service(), "hello", unsafe)
		if (a.Counter == "") != (wantCounter == "") || !strings.Contains(a.Counter, wantCounter) {
			t.Errorf("%s: got %q", gate, a.Counter)
		}
		lacks(t, a.Counter+a.Message, "soft", "A rule of the people")
	}
}
