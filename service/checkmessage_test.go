package service_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/policy"
	"guardrails/service"
	"guardrails/service/screening"
)

const policies = "version: 1\nrules:\n"

// checked() checks a message with a service.
func (p *project) checked(s *service.Service, message string, more ...func(*screening.Message)) *screening.Answer {
	p.t.Helper()
	in := screening.Message{Text: message}
	for _, set := range more {
		set(&in)
	}
	a, err := s.CheckMessage(p.t.Context(), in)
	check(p.t, err)
	return a
}

func TestPoliciesChangeTheVerdictOfAMessage(t *testing.T) {
	for _, c := range []struct{ name, rule, message, want string }{
		{"no policy", "", "What does kill -9 do?", policy.Proceed},
		{
			"a hold", "  - {name: ssn, when: {message_contains: my ssn}, actions: [{type: override_safety, action: HOLD}]}\n",
			"Here is my SSN", policy.Hold,
		},
		{
			"personal data", "  - {name: card, when: {pii: credit_card}, actions: [{type: override_safety, action: BLOCK}]}\n",
			"Charge 4539 9836 9006 0263 please.", policy.Block,
		},
		{
			"a fact of the caller", "  - {name: new, when: {trust: '< 0.5'}, actions: [{type: override_safety, action: HOLD}]}\n",
			"hello", policy.Hold,
		},
		{
			"the stage", "  - {name: out, when: {stage: output}, actions: [{type: override_safety, action: HOLD}]}\n",
			"hello", policy.Proceed,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			if c.rule != "" {
				files[".claude/guardrails-policies.yaml"] = policies + c.rule
			}
			p := newProject(t, files)
			trust := 0.2
			a := p.checked(p.service(), c.message, func(in *screening.Message) { in.Facts.Trust = &trust })
			if a.Safety.Action != c.want || len(a.Notices) > 0 {
				t.Errorf("got %s, notices %q", a.Safety.Action, a.Notices)
			}
		})
	}
}

func TestAPolicyOfAProjectMakesAVerdictMilderOnlyIfAPersonTrustsTheProject(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
		"  - {name: soft, actions: [{type: override_safety, action: PROCEED}]}\n"})
	a := p.checked(p.service(), "Should I buy TSLA?")
	if a.Safety.Action != policy.Block || len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "the rule soft") {
		t.Errorf("not trusted: %s, %q", a.Safety.Action, a.Notices)
	}
	p.trust()
	if a := p.checked(p.service(), "Should I buy TSLA?"); a.Safety.Action != policy.Proceed || len(a.Notices) > 0 {
		t.Errorf("trusted: %s, %q", a.Safety.Action, a.Notices)
	}
}

// trust() records that a person trusts the project.
func (p *project) trust() {
	p.t.Helper()
	hash, err := trust.Hash(p.root)
	check(p.t, err)
	check(p.t, trust.Trust(func(name string) string { return p.vars[name] }, p.root, hash, p.now))
}

func TestAServerNoLongerTrustsAProjectWhosePolicyFileHasChanged(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	p := newProject(t, map[string]string{name: "version: 1\nrules: []\n"})
	p.trust()
	s := p.withMemory()
	if a := p.checked(s, "Should I buy TSLA?"); a.Safety.Action != policy.Block || len(a.Notices) > 0 {
		t.Fatalf("before the change: %s, %q", a.Safety.Action, a.Notices)
	}
	p.write(name, policies+"  - {name: soft, actions: [{type: override_safety, action: PROCEED}]}\n")
	a := p.checked(s, "Should I buy TSLA?")
	if a.Safety.Action != policy.Block || len(a.Notices) != 1 || !strings.Contains(a.Notices[0], config.NotTrusted) {
		t.Errorf("after the change: %s, %q", a.Safety.Action, a.Notices)
	}
}

func TestABrokenPolicyFileKeepsTheLastGoodPoliciesAndSaysSo(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	p := newProject(t, map[string]string{name: policies +
		"  - {name: all, actions: [{type: override_safety, action: HOLD}]}\n"})
	s := p.withMemory()
	if a := p.checked(s, "hello"); a.Safety.Action != policy.Hold {
		t.Fatalf("got %s", a.Safety.Action)
	}
	p.write(name, "version: 1\nrules: [{}]\n")
	a := p.checked(s, "hello")
	if a.Safety.Action != policy.Hold || len(a.Notices) != 1 || !strings.HasPrefix(a.Notices[0], "the last good policies apply") ||
		!strings.Contains(a.Notices[0], name+":2: rules[0].name: is missing") {
		t.Errorf("got %s, %q", a.Safety.Action, a.Notices)
	}
	a = p.checked(p.service(), "hello")
	if a.Safety.Action != policy.Proceed || len(a.Notices) != 1 || !strings.HasPrefix(a.Notices[0], "no policy applies") {
		t.Errorf("a new process: %s, %q", a.Safety.Action, a.Notices)
	}
	check(t, os.Remove(p.path(name)))
	if a := p.checked(s, "hello"); a.Safety.Action != policy.Proceed || len(a.Notices) > 0 {
		t.Errorf("without the file: %s, %q", a.Safety.Action, a.Notices)
	}
}

func TestAPolicyFileThatTheSettingsNameMustExist(t *testing.T) {
	p := newProject(t, nil)
	file := p.path("../own.yaml")
	p.user("safety: {policies: " + filepath.ToSlash(file) + "}\n")
	s := p.withMemory()
	missing := func(prefix, action string) {
		t.Helper()
		a := p.checked(s, "hello")
		if a.Safety.Action != action || len(a.Notices) != 1 || !strings.HasPrefix(a.Notices[0], prefix) ||
			!strings.Contains(a.Notices[0], "own.yaml: does not exist") {
			t.Errorf("got %s, %q", a.Safety.Action, a.Notices)
		}
	}
	missing("no policy applies", policy.Proceed)
	p.write("../own.yaml", policies+"  - {name: all, actions: [{type: override_safety, action: HOLD}]}\n")
	if a := p.checked(s, "hello"); a.Safety.Action != policy.Hold || len(a.Notices) > 0 {
		t.Errorf("got %s, %q", a.Safety.Action, a.Notices)
	}
	check(t, os.Remove(file))
	missing("the last good policies apply", policy.Hold)
}

// TestPoliciesDoNotCrossTenants checks the same message for the project's own tenant and for another tenant.
func TestPoliciesDoNotCrossTenants(t *testing.T) {
	rule := func(name string) string {
		return policies + "  - {name: " + name + ", actions: [{type: override_safety, action: HOLD}]}\n"
	}
	for _, c := range []struct{ name, file, own, other string }{
		{"the project's policies", "", "project", ""},
		{"the server's policies", "server.yaml", "server", "server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newStoredProject(t, map[string]string{".claude/guardrails-policies.yaml": rule("project"), "../server.yaml": rule("server")})
			p.user("safety: {categories: {legal_advice_request: off}}\n")
			p.tenantStore("bank")
			options := service.Options{Env: p.env, Now: time.Now, Dir: p.root, Open: p.opener(false)}
			if c.file != "" {
				options.Policies = p.path("../" + c.file)
			}
			s := service.New(options)
			for tenant, want := range map[string]string{"": c.own, "bank": c.other} {
				ctx := t.Context()
				if tenant != "" {
					ctx = service.ForTenant(ctx, tenant)
				}
				a, err := s.CheckMessage(ctx, screening.Message{Text: "hello"})
				check(t, err)
				if got := strings.Join(a.Policy.Matched, ","); got != want {
					t.Errorf("tenant %q: the rules %q apply, want %q", tenant, got, want)
				}
			}
			a, err := s.CheckMessage(service.ForTenant(t.Context(), "bank"), screening.Message{Text: "am I going to be sued"})
			check(t, err)
			if len(a.Safety.Flags) != 1 {
				t.Errorf("the categories of another tenant are off: %+v", a.Safety)
			}
		})
	}
}

func TestAMistakeInThePoliciesIsReportedOnce(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	p := newProject(t, map[string]string{name: "version: 1\nrules: [{}]\n"})
	var told []string
	options := service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root, Memory: true,
		OnBroken: func(problem string) { told = append(told, problem) },
	}
	s := service.New(options)
	other := s.WithSharedStores(options)
	for range 2 {
		p.checked(s, "hello")
		p.checked(other, "hello")
	}
	p.write(name, "version: 1\nrules: []\n")
	p.checked(s, "hello")
	p.write(name, "version: 2\n")
	p.checked(other, "hello")
	if len(told) != 2 || !strings.HasPrefix(told[0], "no policy applies") || !strings.HasPrefix(told[1], "the last good policies apply") {
		t.Errorf("got %q", told)
	}
}

func TestAChangeOfThePoliciesIsNoticedAlsoIfTheFileKeepsItsSizeAndItsTime(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	rule := func(word string) string {
		return policies + "  - {name: r, when: {message_contains: " + word + "}, actions: [{type: override_safety, action: HOLD}]}\n"
	}
	p := newProject(t, map[string]string{name: rule("one")})
	s := p.withMemory()
	info, err := os.Stat(p.path(name))
	check(t, err)
	if a := p.checked(s, "two"); a.Safety.Action != policy.Proceed {
		t.Fatalf("got %s", a.Safety.Action)
	}
	p.write(name, rule("two"))
	check(t, os.Chtimes(p.path(name), info.ModTime(), info.ModTime()))
	if a := p.checked(s, "two"); a.Safety.Action != policy.Hold {
		t.Errorf("got %s", a.Safety.Action)
	}
}

func TestSettingsNameAnotherPolicyFileAndSwitchCategoriesOff(t *testing.T) {
	p := newProject(t, map[string]string{"../own.yaml": policies +
		"  - {name: soft, when: {message_contains: lawyer}, actions: [{type: override_safety, action: PROCEED}]}\n"})
	p.user("safety: {policies: " + p.path("../own.yaml") + ", categories: {financial_advice_request: off}}\n")
	for message, want := range map[string]string{
		"Should I buy TSLA?":                             policy.Proceed,
		"Am I going to be sued?":                         policy.Block,
		"Am I going to be sued? My lawyer is on holiday": policy.Proceed,
	} {
		if a := p.checked(p.service(), message); a.Safety.Action != want {
			t.Errorf("%s: %s", message, a.Safety.Action)
		}
	}
}

func TestTheModeOfAnAnswerSaysWhatHooksWouldDoWithTheVerdict(t *testing.T) {
	const threat, suit, promise, advice = "I am going to kill my boss", "Am I going to be sued?", "I guarantee it.",
		"You should sue your landlord."
	for settings, want := range map[string]map[string]string{
		"{}":              {threat: "off", suit: "off", promise: "off", advice: "off"},
		"{mode: enforce}": {threat: "enforce", suit: "enforce", promise: "enforce", advice: "enforce"},
		"{mode: observe, categories: {violence: enforce}, gates: {ValuesBoundary: enforce}}": {
			threat: "enforce", suit: "observe", promise: "observe", advice: "enforce",
		},
		"{categories: {violence: observe}, gates: {OverclaimGate: observe}}": {
			threat: "observe", suit: "off",
			promise: "observe", advice: "off",
		},
	} {
		p := newProject(t, nil)
		p.user("safety: " + settings + "\n")
		s := p.service()
		for _, message := range []string{threat, suit} {
			if a := p.checked(s, message); a.Mode != want[message] || len(a.Safety.Flags) == 0 {
				t.Errorf("%s: %q: mode %s, want %s", settings, message, a.Mode, want[message])
			}
		}
		for _, text := range []string{promise, advice} {
			if a := p.answered(s, screening.Response{Text: text}); a.Mode != want[text] || len(a.Safety.Flags) == 0 {
				t.Errorf("%s: %q: mode %s, want %s", settings, text, a.Mode, want[text])
			}
		}
	}
}

func TestACheckIsRecordedWithoutTheText(t *testing.T) {
	const message = "I want to kill myself, anna@firma.de"
	bob := func(in *screening.Message) { in.User, in.SessionID = "bob", "s-1" }
	for _, c := range []struct {
		name, settings, preview string
	}{
		{"usually", "safety: {mode: observe}\n", ""},
		{"with a preview", "safety: {mode: observe, preview: masked}\n", "I want to kill myself, [REDACTED-EMAIL]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			p.user(c.settings)
			a := p.checked(p.service(), message, bob)
			if got := p.spooled(); got != "safety_input block" || a.Mode != "observe" {
				t.Errorf("recorded %q, mode %s", got, a.Mode)
			}
			line := p.record()
			if strings.Contains(line, "bob") || strings.Contains(line, "firma") || c.preview == "" && strings.Contains(line, "kill") {
				t.Errorf("the record has a part of the text: %s", line)
			}
			if c.preview != "" && !strings.Contains(line, c.preview) {
				t.Errorf("the record has no preview: %s", line)
			}
			for _, want := range []string{a.ID, `"session_id":"s-1"`, "self_harm", `\"risk_score\":0.92`, `\"user\":\"`} {
				if !strings.Contains(line, want) {
					t.Errorf("the record has no %s: %s", want, line)
				}
			}
		})
	}
}

func (p *project) record() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "spool", p.now.Format("2006-01-02")+".jsonl"))
	check(p.t, err)
	return string(text)
}

func TestWhatIsHarmlessOrOnlyTriedIsNotRecorded(t *testing.T) {
	p := newProject(t, nil)
	p.checked(p.service(), "kill -9 the orphan processes")
	p.checked(p.service(), "Should I buy TSLA?", func(in *screening.Message) { in.DryRun = true })
	if got := p.spooled(); got != "" {
		t.Errorf("recorded %q", got)
	}
}

func TestAnEventWithACooldownIsFiredOnceForEachPerson(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
		"  - {name: r, actions: [{type: fire_event, event: proactive.x, cooldown: 1m}]}\n"})
	s := p.service()
	for i, step := range []struct {
		passes        time.Duration
		user, session string
		fired         bool
	}{
		{user: "ann", session: "s-1", fired: true},
		{user: "ann", session: "s-1"},
		{user: "ann", session: "s-2"}, // checks are counted for the user, over all sessions
		{user: "bob", session: "s-1", fired: true},
		{session: "s-1", fired: true}, // without a user, checks are counted for the session
		{session: "s-1"},
		{session: "s-2", fired: true},
		{fired: true}, // without a user and a session, the person is unknown, and nothing is counted
		{fired: true},
		{passes: time.Minute, user: "ann", session: "s-1", fired: true},
	} {
		p.now = p.now.Add(step.passes)
		a := p.checked(s, "hello", func(in *screening.Message) { in.User, in.SessionID = step.user, step.session })
		if got := slices.Contains(a.Policy.Events, "proactive.x"); got != step.fired {
			t.Errorf("step %d (%+v): fired %v", i+1, step, got)
		}
	}
}
