package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/service"
)

// prompt() sends the request that the hook of a session sends when a person types a prompt.
func (p *project) prompt(text string) *service.Answer { return p.promptOf(p.service(), text) }

func (p *project) promptOf(s *service.Service, text string) *service.Answer {
	p.t.Helper()
	r := service.Request{Prompt: text, Hook: true, MainThread: true}
	r.SessionID = "s-1"
	return getContext(p.t, s, r)
}

func TestThePromptOfAPersonIsCheckedInTheModeOfTheSettings(t *testing.T) {
	const danger, harmless = "I want to kill myself", "kill -9 the orphan process"
	const figure = "I cannot go on like this, I have no reason to live"
	for _, c := range []struct {
		name, settings, prompt string
		refused, told          bool
		recorded               string
	}{
		{"off", "", danger, false, false, ""},
		{"observed", "safety: {mode: observe}\n", danger, false, false, "safety_input block"},
		{"enforced", "safety: {mode: enforce}\n", danger, true, false, "safety_input block"},
		{"harmless", "safety: {mode: enforce}\n", harmless, false, false, ""},
		{
			"only this category is enforced", "safety: {mode: observe, categories: {self_harm: enforce}}\n", danger, true, false,
			"safety_input block",
		},
		{"only another category is on", "safety: {categories: {violence: enforce}}\n", danger, false, false, ""},
		{"this category is off", "safety: {mode: enforce, categories: {self_harm: off}}\n", danger, false, false, ""},
		{"several signs", "safety: {mode: enforce}\n", figure, true, false, "safety_input block"},
		{"held", "safety: {mode: enforce}\n", "Honestly I have no reason to live.", false, true, "safety_input hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			if c.settings != "" {
				p.user(c.settings)
			}
			a := p.prompt(c.prompt)
			if (a.Refusal != "") != c.refused || (a.Message != "") != c.told || p.spooled() != c.recorded {
				t.Errorf("refusal %q, message %q, recorded %q", a.Refusal, a.Message, p.spooled())
			}
			for _, said := range []string{a.Refusal, a.Message} {
				if said != "" && !strings.Contains(said, "emergency number") {
					t.Errorf("the referral names no help: %q", said)
				}
			}
			if on := strings.Contains(strings.Join(a.Notices, "\n"), "guardrails checks what you type"); on != (c.settings != "") {
				t.Errorf("the notices are %q", a.Notices)
			}
		})
	}
}

func TestACategoryThatIsObservedDoesNotChangeWhatHappensToAPrompt(t *testing.T) {
	const sued, held = "Am I going to be sued?", "Honestly I have no reason to live."
	const selfHarm = "safety: {mode: observe, categories: {self_harm: enforce}}\n"
	const notLegal = "safety: {mode: enforce, categories: {legal_advice_request: observe}}\n"
	policy := func(verdict string) string {
		return "  - {name: x, when: {message_contains: project x}, actions: [{type: override_safety, action: " + verdict + "}]}\n"
	}
	for _, c := range []struct {
		name, settings, policy, prompt string
		refused                        bool
		told, mode, recorded           string
	}{
		{"a block", notLegal, "", sued, false, "", "observe", "safety_input block"},
		{"a block beside a flag", selfHarm, "", sued + " A suicidal schedule for our release.", false, "", "observe", "safety_input block"},
		{"a block beside a hold", selfHarm, "", sued + " " + held, false, "emergency number", "enforce", "safety_input hold"},
		{"a hold", selfHarm, "", held, false, "emergency number", "enforce", "safety_input hold"},
		{"a block by a policy", notLegal, policy("BLOCK"), "project x", true, "rule", "enforce", "safety_input block"},
		{
			"a hold by a policy", notLegal, policy("HOLD"), "project x", false, "rule about messages like yours",
			"enforce", "safety_input hold",
		},
		{
			"a flag beside a policy", notLegal, policy("BLOCK"), "Do I need a lawyer for project x?", true, "",
			"enforce", "safety_input block",
		},
		{"a block beside a policy", notLegal, policy("BLOCK"), sued + " For project x?", true, "", "enforce", "safety_input block"},
		{"a milder policy", notLegal, policy("HOLD"), sued + " For project x?", false, "", "observe", "safety_input hold"},
		{
			"a milder policy that does not count", notLegal, policy("PROCEED"), sued + " For project x?", false, "",
			"observe", "safety_input block",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies + c.policy})
			if c.policy == "" {
				check(t, os.Remove(p.path(".claude/guardrails-policies.yaml")))
			}
			p.user(c.settings)
			if c.policy == policy("HOLD") {
				p.trust()
			}
			a := p.prompt(c.prompt)
			said := a.Refusal + a.Message
			if (a.Refusal != "") != c.refused || p.spooled() != c.recorded || !strings.Contains(said, c.told) ||
				!c.refused && c.told == "" && said != "" {
				t.Errorf("refusal %q, message %q, recorded %q", a.Refusal, a.Message, p.spooled())
			}
			contains(t, p.record(), `\"mode\":\"`+c.mode+`\"`)
		})
	}
}

// If nothing can be written to the disk, the gate must still stop the messages and answers in which it finds something.
func TestAVerdictHoldsEvenIfItCannotBeRecorded(t *testing.T) {
	p := newProject(t, nil)
	p.user("safety: {mode: enforce}\n")
	state := filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails")
	check(t, os.MkdirAll(state, 0o700))
	check(t, os.WriteFile(filepath.Join(state, "spool"), nil, 0o600)) // no folder, so nothing can be written into it
	a := p.prompt("I want to kill myself")
	if a.Refusal == "" || !strings.Contains(strings.Join(a.Notices, "\n"), "cannot record") {
		t.Errorf("the prompt: refused %q, notices %q", a.Refusal, a.Notices)
	}
	if a := p.reply(p.service(), "what is her number?", "Her SSN is 536-22-8145."); a.Counter == "" || !strings.Contains(a.Message, "cannot record") {
		t.Errorf("the answer: counter %q, message %q", a.Counter, a.Message)
	}
}

func TestWhatAnAgentWritesToASubagentIsNotChecked(t *testing.T) {
	p := newProject(t, nil)
	p.user("safety: {mode: enforce}\n")
	r := service.Request{Prompt: "I want to kill myself", Hook: true}
	if a := getContext(t, p.service(), r); a.Refusal != "" || p.spooled() != "" {
		t.Errorf("refused: %q, recorded %q", a.Refusal, p.spooled())
	}
}

func TestAProjectSwitchesTheSafetyGateOnOnlyIfAPersonTrustsIt(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\nsafety: {mode: enforce}\n"})
	a := p.prompt("I want to kill myself")
	if a.Refusal != "" || !strings.Contains(strings.Join(a.Notices, "\n"), "safety.mode") {
		t.Errorf("refused: %q, notices %q", a.Refusal, a.Notices)
	}
}

// A repository that a person does not trust changes nothing about the safety gate.
func TestAProjectThatIsNotTrustedDoesNotLoosenTheSafetyGate(t *testing.T) {
	const danger = "I want to kill myself"
	lower := policies + "  - {name: soft, actions: [{type: override_safety, action: PROCEED}, {type: stop}]}\n"
	for _, c := range []struct{ name, settings, policies, said string }{
		{"the mode", "safety: {mode: off}\n", "", "safety.mode"},
		{"a milder mode", "safety: {mode: observe}\n", "", "safety.mode"},
		{"the mode of a category", "safety: {categories: {self_harm: off}}\n", "", "safety.categories"},
		{"previews", "safety: {preview: masked}\n", "", "safety.preview"},
		{"another policy file", "safety: {policies: soft.yaml}\n", "", "safety.policies"},
		{"policies that let everything pass", "", lower, "the rule soft"},
		{"records of detections", "detectors: {record: true}\n", "", "detectors.record"},
		{"the output guard", "output_guard: {mode: off}\n", "", "output_guard.mode"},
		{"a model", "model: {url: 'http://127.0.0.1:1', name: mine}\n", "", "model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				".claude/guardrails.yaml": "packs: []\n" + c.settings, "soft.yaml": lower, ".claude/guardrails/a.yaml": reacting,
			})
			if c.policies != "" {
				p.write(".claude/guardrails-policies.yaml", c.policies)
			}
			p.user("detectors: {rumination: note}\nsafety: {mode: enforce}\noutput_guard: {mode: observe}\n")
			s := p.service()
			a := p.promptOf(s, danger)
			var ignored []string
			for _, i := range a.Ignored {
				ignored = append(ignored, i.Name())
			}
			said := strings.Join(append(a.Notices, ignored...), "\n")
			if a.Refusal == "" || p.spooledOf("safety_input") != "safety_input block" || !strings.Contains(said, c.said) {
				t.Errorf("refusal %q, recorded %q, said %q", a.Refusal, p.spooled(), said)
			}
			if a := p.reply(s, "hello", unsafe); a.Counter == "" {
				t.Error("the unsafe answer is not asked for again")
			}
			if text := p.spoolText(); strings.Contains(text, `"preview`) || strings.Contains(text, `"kind":"detector"`) {
				t.Errorf("recorded %s", text)
			}
		})
	}
}

func TestTheNextPromptSaysThatThePolicyFileIsBroken(t *testing.T) {
	const file = ".claude/guardrails-policies.yaml"
	p := newProject(t, map[string]string{file: policies + "  - {name: all, actions: [{type: override_safety, action: HOLD}]}\n"})
	p.user("safety: {mode: observe}\n")
	s := p.withMemory()
	said := func() string { return strings.Join(p.promptOf(s, "hello").Notices, "\n") }
	if got := said(); strings.Contains(got, "mistake") {
		t.Errorf("a good file: %s", got)
	}
	p.write(file, "version: 1\nrules: [{}]\n")
	if got := said(); !strings.Contains(got, "the last good policies apply") || !strings.Contains(got, "rules[0].name: is missing") {
		t.Errorf("a broken file: %s", got)
	}
	p.write(file, "version: 1\nrules: []\n")
	if got := said(); strings.Contains(got, "mistake") {
		t.Errorf("a mended file: %s", got)
	}
}
