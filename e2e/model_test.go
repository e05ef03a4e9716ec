//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// judge is the language model that is named in the settings of guardrails. It is not the model of the client.
type judge struct {
	server *httptest.Server
	lock   sync.Mutex
	// The field "asked" has the texts of the questions. The keys are the names of the tools with which the judge
	// answers them.
	asked map[string][]string
}

// The names of the tools with which a judge answers. With the first tool, the judge says what a prompt is about. With
// the second tool, the judge says whether an answer is safe.
const (
	toolTask    = "report_task"
	toolVerdict = "report_verdict"
)

// newJudge starts a judge. The keys of answers are the names of the tools, and the values are the judge's answers.
func newJudge(t *testing.T, answers map[string]string) *judge {
	t.Helper()
	j := &judge{asked: map[string][]string{}}
	j.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question struct {
			Messages   []struct{ Content string }
			ToolChoice struct{ Name string } `json:"tool_choice"`
		}
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil || len(question.Messages) != 1 {
			t.Errorf("the judge cannot read a question: %v", err)
			return
		}
		tool := question.ToolChoice.Name
		j.lock.Lock()
		j.asked[tool] = append(j.asked[tool], question.Messages[0].Content)
		j.lock.Unlock()
		_, _ = fmt.Fprintf(w, `{"content": [{"type": "tool_use", "name": %q, "input": %s}]}`, tool, answers[tool])
	}))
	t.Cleanup(j.server.Close)
	return j
}

func (j *judge) questions(tool string) []string {
	j.lock.Lock()
	defer j.lock.Unlock()
	return append([]string(nil), j.asked[tool]...)
}

// settings() writes the user's own settings: the judge, and the given settings.
func (j *judge) settings(s *stage, more string) {
	s.t.Helper()
	s.file("../home/.config/guardrails/guardrails.yaml", "model: {url: '"+j.server.URL+"', name: small}\n"+more)
}

const (
	isSafe   = `{"is_safe": true, "reason": "it refuses", "violation_type": null}`
	isUnsafe = `{"is_safe": false, "reason": "it agrees", "violation_type": "delusion_validation"}`
)

// fixing is a guideline that applies only to a certain action. The prompt "make it nice" does not name this action.
const fixing = `guidelines:
  - id: fix-with-a-test
    name: A fix has a test
    category: custom
    condition: {actions: [fix]}
    action: {type: instruction, instruction: Write the failing test first.}
`

// The hook of a prompt waits only a moment for the model. So on a slow computer, the answer can come too late.
func TestAModelSaysWhatAPromptIsAboutWhoseWordsDoNot(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.file(".claude/guardrails/fixing.yaml", fixing)
		j := newJudge(t, map[string]string{toolTask: `{"domain": null, "action": "fix"}`})
		j.settings(s, "")
		for attempt := 1; ; attempt++ {
			model, _ := s.headlessSays("make it nice", fakemodel.Say("I made it nice."))
			if model.All()[0].Saw("Write the failing test first.") {
				break
			}
			if attempt == attempts {
				s.t.Fatalf("the guideline never applies; the judge got %d questions", len(j.questions(toolTask)))
			}
		}
		if asked := j.questions(toolTask); len(asked) == 0 || !strings.Contains(asked[0], "make it nice") {
			s.t.Errorf("the judge got %q", asked)
		}
		before := len(j.questions(toolTask))
		model, _ := s.headlessSays("fix the parser", fakemodel.Say("I fixed it."))
		if !model.All()[0].Saw("Write the failing test first.") || len(j.questions(toolTask)) != before {
			s.t.Errorf("the words decide, but the judge got %d questions", len(j.questions(toolTask))-before)
		}
	})
}

const (
	grandiose = "I am a god and I control the universe."
	agreement = "Yes, you are, and all should kneel."
	grounded  = "This replaces it: I am an assistant, and I cannot confirm that."
)

// The type "guarded" is a headless session with the output guard.
type guarded struct {
	*stage
	judge *judge
	// The field "requests" is the number of requests that the model of the client got. The field "said" is the
	// text that the person reads.
	requests int
	said     string
}

// The constant "attempts" is the largest number of times that a session is played. On a slow computer, the hook
// sometimes stops waiting before the judge has answered. The session is then played again.
const attempts = 5

// guard() plays a session in which the model first gives an unsafe answer. If the model is asked again, it gives a safe
// answer.
func guard(s *stage, settings, verdict, prompt string) *guarded {
	s.t.Helper()
	for attempt := 1; ; attempt++ {
		g := &guarded{stage: s, judge: newJudge(s.t, map[string]string{toolVerdict: verdict, toolTask: `{"domain": null, "action": null}`})}
		g.judge.settings(s, settings)
		model, transcript := s.headlessSays(prompt, fakemodel.Say(agreement), fakemodel.Say(grounded))
		g.requests, g.said = len(model.All()), transcript.Result.Text
		if !strings.Contains(s.checked("output_audit"), "failed") || attempt == attempts {
			return g
		}
		s = setUp(s.t, s.client)
	}
}

// The model audits an answer only if the message shows a risk.
func TestTheOutputGuardAsksTheModelOnlyAboutARisk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mode, verdict, prompt string
		again                       bool
		asked                       int
		recorded                    string
	}{
		{"unsafe in enforce", "enforce", isUnsafe, grandiose, true, 2, "unsafe unsafe"},
		{"unsafe in observe", "observe", isUnsafe, grandiose, false, 1, "unsafe"},
		{"safe in enforce", "enforce", isSafe, grandiose, false, 1, "safe"},
		{"no risk in enforce", "enforce", isUnsafe, "What does kill -9 do?", false, 0, ""},
		{"no risk in observe", "observe", isUnsafe, "What does kill -9 do?", false, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachClient(t, func(s *stage) {
				g := guard(s, "output_guard: {mode: "+c.mode+"}\n", c.verdict, c.prompt)
				requests, said := 1, agreement
				if c.again {
					requests, said = 2, grounded
				}
				if g.requests != requests || g.said != said {
					s.t.Errorf("the model got %d requests, and the person reads %q", g.requests, g.said)
				}
				asked := g.judge.questions(toolVerdict)
				if len(asked) != c.asked || len(asked) > 0 && !strings.Contains(asked[0], agreement) {
					s.t.Errorf("the judge got %q", asked)
				}
				if strings.Contains(strings.Join(asked, "\n"), "universe") {
					s.t.Error("the judge got the person's message")
				}
				if got := g.checked("output_audit"); got != c.recorded {
					s.t.Errorf("recorded %q", got)
				}
			})
		})
	}
}

// In a terminal, the person sees the unsafe answer before the hooks run, and then the answer that replaces it.
func TestTheOutputGuardAsksForAnotherAnswerInATerminal(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		for attempt := 1; ; attempt++ {
			j := newJudge(s.t, map[string]string{toolVerdict: isUnsafe, toolTask: `{"domain": null, "action": null}`})
			j.settings(s, "output_guard: {mode: enforce}\n")
			terminal := s.terminal(fakemodel.Say(agreement), fakemodel.Say(grounded), fakemodel.Say("Good morning."))
			terminal.typePrompt(grandiose, "Yes, you are")
			// The hook runs after the answer is shown.
			s.waitUntil("the audit of the answer", func() bool { return s.checked("output_audit") != "" })
			if strings.Contains(s.checked("output_audit"), "failed") && attempt < attempts {
				terminal.quitClient()
				s = setUp(s.t, s.client)
				continue
			}
			terminal.shows("I cannot confirm that.")
			terminal.shows("guardrails asked the model for another answer")
			terminal.typePrompt("hello", "Good morning.")
			if asked := j.questions(toolVerdict); len(asked) != 2 {
				s.t.Errorf("the judge got %q", asked)
			}
			if got := s.checked("output_audit"); got != "unsafe unsafe" {
				s.t.Errorf("recorded %q", got)
			}
			return
		}
	})
}
