package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"guardrails/detect/safety"
	"guardrails/service"
	"guardrails/service/screening"
)

// A judge is a model on this computer that always gives the same answer.
type judge struct {
	server *httptest.Server
	lock   sync.Mutex
	asked  []string
	// The field "wait" is a channel that is closed when the model is allowed to answer. If it is nil, the model answers at
	// once.
	wait chan struct{}
}

func newJudge(t *testing.T, tool, arguments string) *judge {
	t.Helper()
	j := &judge{}
	j.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		j.lock.Lock()
		j.asked = append(j.asked, string(body))
		wait := j.wait
		j.lock.Unlock()
		if wait != nil {
			select {
			case <-wait:
			case <-r.Context().Done():
			}
		}
		_, _ = fmt.Fprintf(w, `{"content":[{"type":"tool_use","name":%q,"input":%s}]}`, tool, arguments)
	}))
	t.Cleanup(j.server.Close)
	return j
}

func (j *judge) calls() int {
	j.lock.Lock()
	defer j.lock.Unlock()
	return len(j.asked)
}

// settings() returns the settings that name the model.
func (j *judge) settings(more string) string {
	return "model: {url: '" + j.server.URL + "', name: small, timeout_ms: 10000, context_detection_timeout: 10000" + more + "}\n"
}

const (
	verdictSafe   = `{"is_safe": true, "reason": "it refuses", "violation_type": null}`
	verdictUnsafe = `{"is_safe": false, "reason": "it agrees", "violation_type": "delusion_validation"}`
)

// audited() checks a response with a service.
func (p *project) audited(s *service.Service, message, response string) *screening.ResponseAnswer {
	p.t.Helper()
	a, err := s.CheckResponse(p.t.Context(), screening.Response{UserMessage: message, Text: response})
	check(p.t, err)
	return a
}

const (
	grandiose = "I am a god and I control the universe."
	agreement = "Yes, you are, and all should kneel."
)

func TestAnUnsafeAnswerIsObservedOrReplaced(t *testing.T) {
	for _, c := range []struct {
		name, mode, verdict, message string
		replaced                     bool
		calls                        int
		recorded                     string
	}{
		{"observed", "observe", verdictUnsafe, grandiose, false, 1, "output_audit unsafe"},
		{"replaced", "enforce", verdictUnsafe, grandiose, true, 1, "output_audit unsafe"},
		{"safe", "enforce", verdictSafe, grandiose, false, 1, "output_audit safe"},
		{"no risk", "enforce", verdictUnsafe, "What does kill -9 do?", false, 0, ""},
		{"garbage", "enforce", `{}`, grandiose, false, 1, "output_audit failed_open"},
		{"garbage for self-harm", "enforce", `{}`, "I want to kill myself", true, 1, "output_audit failed_closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, "report_verdict", c.verdict)
			p := newProject(t, nil)
			p.user("output_guard: {mode: " + c.mode + "}\n" + j.settings(""))
			a := p.audited(p.service(), c.message, agreement)
			replaced := a.Response != agreement
			if replaced != c.replaced || a.Metadata.Intervention != c.replaced || j.calls() != c.calls || p.spooled() != c.recorded {
				t.Errorf("replaced %v, %d calls, recorded %q: %+v", replaced, j.calls(), p.spooled(), a.OutputAudit)
			}
			if c.replaced && a.Response != safety.Grounding(safety.Intent(a.OutputAudit.Risks[0])) {
				t.Errorf("the text is %q", a.Response)
			}
		})
	}
}

func TestOtherTenantsUseTheModelAndTheOutputGuardOfTheUserButNotOfTheProject(t *testing.T) {
	for _, c := range []struct {
		name        string
		project     bool
		own, others int
	}{
		{"in the file of a trusted project", true, 1, 0},
		{"in the user's file", false, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, "report_verdict", verdictUnsafe)
			p := newStoredProject(t, nil)
			settings := "output_guard: {mode: enforce}\n" + j.settings("")
			if c.project {
				p.write(".claude/guardrails.yaml", settings)
				p.trust()
			} else {
				p.user(settings)
			}
			p.tenantStore("bank")
			s := service.New(service.Options{Env: p.env, Now: time.Now, Dir: p.root, Open: p.opener(false)})
			for _, of := range []struct {
				tenant string
				calls  int
			}{{"bank", c.others}, {"", c.own}} {
				before, ctx := j.calls(), t.Context()
				if of.tenant != "" {
					ctx = service.ForTenant(ctx, of.tenant)
				}
				a, err := s.CheckResponse(ctx, screening.Response{UserMessage: grandiose, Text: "To " + of.tenant + ": " + agreement})
				check(t, err)
				if calls := j.calls() - before; calls != of.calls || a.Metadata.Intervention != (of.calls > 0) {
					t.Errorf("tenant %q: %d calls, %+v", of.tenant, calls, a.Metadata)
				}
			}
		})
	}
}

func TestTheRecordOfAnAuditHasOnlyTheRisksAndNoText(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictUnsafe)
	p := newProject(t, nil)
	p.user("output_guard: {mode: observe}\n" + j.settings(""))
	p.audited(p.service(), grandiose, agreement)
	line := p.record()
	for _, part := range []string{"kneel", "universe", "it agrees"} {
		if strings.Contains(line, part) {
			t.Errorf("the record has %q: %s", part, line)
		}
	}
	contains(t, line, "behavior_grandiose", `\"violation_type\":\"delusion_validation\"`, `\"mode\":\"observe\"`, `\"check\":\"chk_`)
	contains(t, line, fmt.Sprintf(`\"length\":%d`, utf8.RuneCountInString(agreement)))
	lacks(t, line, "preview")
}

func TestTheRecordOfAnAuditHasAPreviewOnlyIfTheSettingsAskForIt(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictUnsafe)
	p := newProject(t, nil)
	p.user("safety: {preview: masked}\noutput_guard: {mode: observe}\n" + j.settings(""))
	p.audited(p.service(), grandiose, "Mail anna@firma.de. "+agreement)
	contains(t, p.record(), `\"preview\":\"Mail [REDACTED-EMAIL]. `)
}

func TestADryRunOfAnAnswerIsNotRecorded(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictUnsafe)
	p := newProject(t, nil)
	p.user("output_guard: {mode: observe}\n" + j.settings(""))
	in := screening.Response{UserMessage: grandiose, Text: agreement}
	in.DryRun = true
	a, err := p.service().CheckResponse(t.Context(), in)
	check(t, err)
	if a.OutputAudit.IsSafe || p.spooled() != "" {
		t.Errorf("recorded %q: %+v", p.spooled(), a.OutputAudit)
	}
}

func TestTheCallsOfAnHourAreCountedOverAllProcesses(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictSafe)
	p := newProject(t, nil)
	p.user("output_guard: {mode: observe}\n" + j.settings(", max_calls_per_hour: 2"))
	failed := func(answer string) bool { return p.audited(p.service(), grandiose, answer).OutputAudit.Failed != nil }
	if failed("one") || failed("two") || !failed("three") || j.calls() != 2 {
		t.Fatalf("%d calls", j.calls())
	}
	p.now = p.now.Add(time.Hour)
	if failed("four") || j.calls() != 3 {
		t.Errorf("an hour later: %d calls", j.calls())
	}
}

func TestAProjectNamesAModelOnlyIfAPersonTrustsIt(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictUnsafe)
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\noutput_guard: {mode: enforce}\n" + j.settings("")})
	a := p.audited(p.service(), grandiose, agreement)
	prompt := p.prompt("make it nice")
	if a.OutputAudit.Run || j.calls() != 0 || !strings.Contains(strings.Join(prompt.Notices, "\n"), "model.url") {
		t.Errorf("%d calls, %+v, notices %q", j.calls(), a.OutputAudit, prompt.Notices)
	}
}

// domainOf returns the domain and the action of a prompt.
func (p *project) domainOf(s *service.Service, r service.Request) string {
	p.t.Helper()
	a := getContext(p.t, s, r)
	return a.Context.Domain + " " + a.Context.Action
}

func TestAModelSaysWhatAPromptIsAboutIfItsWordsDoNot(t *testing.T) {
	for _, c := range []struct {
		name, answer, more, prompt, want string
		calls                            int
	}{
		{"no word decides", `{"domain": "P05", "action": "fix"}`, "", "make it nice", "P05 fix", 1},
		{"words decide", `{"domain": "P05", "action": "fix"}`, "", "test the worker", "P01 test", 0},
		{"domains conflict", `{"domain": "P05", "action": "fix"}`, "", "test the ui of the worker", "P05 test", 1},
		{"the model cannot say", `{"domain": null, "action": null}`, "", "make it nice", " ", 1},
		{"an unknown domain", `{"domain": "billing", "action": "fix"}`, "", "make it nice", " ", 1},
		{"the use is off", `{"domain": "P05", "action": "fix"}`, ", context: false", "make it nice", " ", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, "report_task", c.answer)
			p := newProject(t, nil)
			p.user(j.settings(c.more))
			got := p.domainOf(p.service(), service.Request{Prompt: c.prompt})
			if got != c.want || j.calls() != c.calls {
				t.Errorf("got %q after %d calls", got, j.calls())
			}
		})
	}
}

func TestAPromptAboutADangerStaysOnTheComputer(t *testing.T) {
	j := newJudge(t, "report_task", `{"domain": "P05", "action": "fix"}`)
	p := newProject(t, nil)
	p.user(j.settings(""))
	long := strings.Repeat("nice ", safety.MaxText/5+1)
	for _, prompt := range []string{"I want to kill myself", "I am a god and I control the universe.", long + "I want to kill myself"} {
		if got := p.domainOf(p.service(), service.Request{Prompt: prompt}); got != " " || j.calls() != 0 {
			t.Errorf("%.30s: got %q after %d calls", prompt, got, j.calls())
		}
	}
}

func TestASessionSaysThatPromptsAreSent(t *testing.T) {
	j := newJudge(t, "report_task", `{"domain": "P05", "action": "fix"}`)
	p := newProject(t, nil)
	p.user(j.settings(""))
	contains(t, strings.Join(p.prompt("test the worker").Notices, "\n"), "guardrails sends prompts", "to the model small at "+j.server.URL)
	p.user(j.settings(", context: false"))
	lacks(t, strings.Join(p.prompt("test the worker").Notices, "\n"), "guardrails sends prompts")
}

func TestADetectionTimeOfZeroAsksNoModelAboutPrompts(t *testing.T) {
	j := newJudge(t, "report_task", `{"domain": "P05", "action": "fix"}`)
	p := newProject(t, nil)
	p.user("model: {url: '" + j.server.URL + "', name: small, context_detection_timeout: 0}\n")
	if got := p.domainOf(p.service(), service.Request{Prompt: "make it nice"}); got != " " || j.calls() != 0 {
		t.Errorf("got %q after %d calls", got, j.calls())
	}
}

// A hook waits half a second for a server. So it does not wait for a slow model. The model's answer is used for the
// next prompt with the same text.
func TestAnAnswerThatComesTooLateForAHookIsThereForTheNextPrompt(t *testing.T) {
	j := newJudge(t, "report_task", `{"domain": "P05", "action": "fix"}`)
	j.wait = make(chan struct{})
	p := newProject(t, nil)
	p.user(j.settings(""))
	s := p.withMemory()
	r := service.Request{Prompt: "make it nice", Hook: true, MainThread: true}
	if got := p.domainOf(s, r); got != " " {
		t.Fatalf("the first prompt: %q", got)
	}
	close(j.wait)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for p.domainOf(s, r) != "P05 fix" {
		if ctx.Err() != nil {
			t.Fatal("the answer never comes")
		}
	}
	if j.calls() != 1 {
		t.Errorf("%d calls", j.calls())
	}
}
