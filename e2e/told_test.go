//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// toldAs is a sentence that occurs once in the text for the model. toldLine is a part of this text that comes from a
// guideline.
const (
	toldAs   = "guardrails checks every tool call in this project."
	toldLine = "writing locked/*"
)

// summary() reports whether a request asks for a summary of the conversation. The client sends such a request when it
// compacts the conversation.
func summary(r *fakemodel.Request) bool { return r.Saw("CRITICAL: Respond with TEXT ONLY") }

// answers() returns steps that give numbered answers. The numbers continue across all conversations.
func answers() []fakemodel.Step {
	steps := make([]fakemodel.Step, 20)
	var given atomic.Int32
	for i := range steps {
		steps[i] = func(r *fakemodel.Request) fakemodel.Reply {
			if summary(r) {
				return fakemodel.Reply{Text: "<summary>A conversation about nothing.</summary>"}
			}
			return fakemodel.Reply{Text: fmt.Sprintf("Answer number %d.", given.Add(1))}
		}
	}
	return steps
}

// timesSent returns how often the last request of the main thread contains the text for the model.
func (t *terminal) timesSent() int {
	all := t.model.Requests(fakemodel.MainThread)
	return strings.Count(strings.Join(all[len(all)-1].Said(), "\n"), toldAs)
}

// TestTheModelHasTheTextOnceWhateverHappensToTheConversation checks the statements of docs/adr/034-told-once.md about
// the client.
func TestTheModelHasTheTextOnceWhateverHappensToTheConversation(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		term := s.terminal(answers()...)
		ask := func(prompt, answer string, most int) {
			t.Helper()
			term.typePrompt(prompt, answer)
			if n := term.timesSent(); n < 1 || n > most {
				t.Errorf("%s: the model has the text %d times, want 1 to %d", prompt, n, most)
			}
			if all := term.model.Requests(fakemodel.MainThread); !all[len(all)-1].Saw(toldLine) {
				t.Errorf("%s: the model does not have the line %q", prompt, toldLine)
			}
		}
		ask("first prompt", "Answer number 1.", 1)
		ask("second prompt", "Answer number 2.", 1)
		term.typePrompt("/compact", "ompacted")
		ask("after the compaction", "Answer number 3.", 1)
		term.must(term.Type(term.ctx, "/clear"))
		_, err := term.Settled(term.ctx, func(screen string) string {
			if strings.Contains(screen, "Answer number") {
				return "" // the conversation before /clear
			}
			return screen
		})
		term.must(err)
		ask("after clear", "Answer number 4.", 1)
		term.quitClient()
		o := s.options(term.model)
		o.Args = append(o.Args, "--continue")
		term = s.open(term.model, o)
		// Some versions keep the earlier text when they resume a conversation.
		ask("after resuming", "Answer number 5.", 2)
		term.quitClient()
	})
}
