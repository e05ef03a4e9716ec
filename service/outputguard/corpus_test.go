package outputguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"guardrails/config"
	"guardrails/detect/safety"
	"guardrails/internal/fortests/corpus"
	"guardrails/model"
	"guardrails/service/outputguard"
)

// A pair is an answer to a message with a risk. Its category is the risk, and its label is "safe" or "unsafe". Some
// pairs also have the message and the intent of its author.
type pair struct {
	corpus.Header
	Text, Intent string
	UserMessage  string `json:"user_message"`
}

func pairs(t *testing.T) []pair {
	t.Helper()
	return corpus.Load[pair](t, "testdata/corpus")
}

// The type "labelled" is a model that knows the labels of the corpus.
type labelled struct {
	pairs map[string]pair
	calls int
	// If wrong is not empty, the model answers with the text in wrong instead of the label.
	wrong string
	err   error
}

func (l *labelled) Ask(_ context.Context, q model.Question) (model.Answer, error) {
	l.calls++
	if l.wrong != "" || l.err != nil {
		return model.Answer{Input: json.RawMessage(l.wrong)}, l.err
	}
	verdict := `{"is_safe": %v, "reason": "as labelled", "violation_type": null}`
	return model.Answer{Input: fmt.Appendf(nil, verdict, l.pairs[q.Text].Label == outputguard.Safe)}, nil
}

func TestPairsOfTheCorpus(t *testing.T) {
	list, counts := pairs(t), map[string]int{}
	for _, p := range list {
		counts[p.Category+" "+p.Label]++
	}
	for _, intent := range safety.AllIntents() {
		for _, label := range []string{outputguard.Safe, outputguard.Unsafe} {
			if n := counts[string(intent)+" "+label]; intent.IsRisk() && n < 30 {
				t.Errorf("%d pairs %s %s", n, intent, label)
			}
		}
	}
	if len(list) < 300 {
		t.Errorf("%d pairs", len(list))
	}
	corpus.CheckTwins(t, list, func(p pair) string { return p.Text + " " + p.UserMessage })
}

// falseAlarms returns the safe answers whose words seem to encourage self-harm, each with the reason.
func falseAlarms() map[string]string {
	return map[string]string{
		"self_harm-safe-13": "the words do not see that the sentence begins with I don't agree",
		"self_harm-safe-18": "the words do not see that the help is refused",
		"audit-0247":        "the words do not see that the means are put away",
	}
}

// Every pair is checked in every mode, both with a model that knows the label and with models that fail.
func TestEveryPairTakesEveryPath(t *testing.T) {
	byText := map[string]pair{}
	for _, p := range pairs(t) {
		byText[p.Text] = p
	}
	for _, p := range byText {
		byWords := safety.EncouragesSelfHarm(p.Text)
		if why, known := falseAlarms()[p.ID]; byWords && p.Label == outputguard.Safe && !known {
			t.Errorf("%s: the words of a safe answer encourage self-harm", p.ID)
		} else if byWords && known {
			t.Logf("%s: a known false alarm: %s", p.ID, why)
		}
		for _, mode := range []string{config.Off, config.Observe, config.Enforce} {
			for _, c := range []struct {
				name  string
				model *labelled
				want  string
			}{
				{"the model knows", &labelled{pairs: byText}, p.Label},
				{"the model is late", &labelled{err: failed(model.Timeout)}, failure(p.Category)},
				{"the model refuses", &labelled{err: failed(model.Refused)}, failure(p.Category)},
				{"the model contradicts itself", &labelled{wrong: `{"is_safe": true, "violation_type": "escalation"}`}, failure(p.Category)},
			} {
				want, calls := c.want, 1
				if byWords {
					want, calls = outputguard.Unsafe, 0
				}
				g := outputguard.Guard{Settings: &config.OutputGuard{Mode: mode}, Asker: c.model}
				a := g.Check(t.Context(), []string{p.Category}, p.Text)
				intervenes := mode == config.Enforce && (want == outputguard.Unsafe || want == outputguard.FailedClosed)
				if a.Result() != want || a.Intervened != intervenes || c.model.calls != calls {
					t.Errorf("%s, %s, %s: %s, intervened %v, %d calls", p.ID, mode, c.name, a.Result(), a.Intervened, c.model.calls)
				}
			}
		}
	}
}

// failure() returns the result for a risk if the answer cannot be checked.
func failure(risk string) string {
	if risk == string(safety.IntentSelfHarm) {
		return outputguard.FailedClosed
	}
	return outputguard.FailedOpen
}

// TestWordsOfTheCorpus prints the findings that need no model: the risks of messages, and answers that encourage
// self-harm.
func TestWordsOfTheCorpus(t *testing.T) {
	risks, answers := map[string][2]int{}, map[string][2]int{}
	count := func(into map[string][2]int, split string, found bool) {
		n := into[split]
		if n[1]++; found {
			n[0]++
		}
		into[split] = n
	}
	for _, p := range pairs(t) {
		if p.UserMessage != "" {
			count(risks, p.Split, slices.Contains(safety.Intents(p.UserMessage), safety.Intent(p.Intent)))
		}
		if p.Category == string(safety.IntentSelfHarm) && p.Label == outputguard.Unsafe {
			count(answers, p.Split, safety.EncouragesSelfHarm(p.Text))
		}
	}
	for _, split := range []string{"train", "test"} {
		t.Logf("%s: words find the risk of %d of %d messages, and %d of %d answers that encourage self-harm", split,
			risks[split][0], risks[split][1], answers[split][0], answers[split][1])
		if risks[split][0] == 0 || answers[split][0] == 0 {
			t.Errorf("%s: the words find nothing", split)
		}
	}
}
