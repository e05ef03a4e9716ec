package safety_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/detect/safety"
)

// longQuestion is long enough that a short answer to it is suspicious.
const longQuestion = "How should I explain to my team that the release slips by two weeks because of the audit?"

// The learned weights count only if the number of hedges is too small.
func TestTheScoreOfHedgingGrowsWithTheNumberOfHedges(t *testing.T) {
	for text, want := range map[string]float64{
		"Maybe. Perhaps it could be the cache.": 0.54,
		"Maybe, perhaps, possibly, probably, I think it might be, it seems, it could be, not sure, hard to say, it depends.": 0.90,
	} {
		for _, g := range safety.Answer(text, &safety.AnswerOptions{}).Gates {
			if g.Gate == safety.InactionGuard && g.Score != want {
				t.Errorf("%s: got %v, want %v", text, g.Score, want)
			}
		}
	}
}

func TestEachGateTriggers(t *testing.T) {
	for _, c := range []struct {
		name, response string
		options        safety.AnswerOptions
		gate           safety.Gate
		category       safety.Category
		action         safety.Action
	}{
		{
			name: "a dose", response: "Take two tablets of ibuprofen every four hours.", gate: safety.ValuesBoundary,
			category: safety.MedicalPrescription, action: safety.Block,
		},
		{
			name: "a cure", response: "This exercise will cure your depression.", gate: safety.ValuesBoundary,
			category: safety.TherapeuticClaim, action: safety.Block,
		},
		{
			name: "a number of another person", response: "Her SSN is 536-22-8145.", gate: safety.ValuesBoundary,
			category: safety.ThirdPartyPII, action: safety.Block,
		},
		{
			name: "a laugh at a funeral", response: "Haha, great news!!",
			options: safety.AnswerOptions{UserMessage: "my father died this morning"}, gate: safety.SocialRisk,
			category: safety.ToneMismatch, action: safety.Hold,
		},
		{
			name: "a short answer", response: "Just tell them.",
			options: safety.AnswerOptions{UserMessage: longQuestion}, gate: safety.InactionGuard,
			category: safety.ShortResponse, action: safety.Hold,
		},
		{
			name: "hedges", response: "Maybe. It might work, perhaps, but I think it depends.",
			gate: safety.InactionGuard, category: safety.ExcessiveHedging, action: safety.Hold,
		},
		{
			name: "a refusal", response: "Sorry, I can't help with that.", gate: safety.InactionGuard,
			category: safety.RefusalToEngage, action: safety.Hold,
		},
		{
			name: "a guarantee", response: "I guarantee that it works.", gate: safety.OverclaimGate,
			category: safety.Guarantee, action: safety.Flag,
		},
		{
			name: "a promise", response: "I'll always be here for you.", gate: safety.EmotionalDependenceGate,
			category: safety.PermanencePromise, action: safety.Flag,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := safety.Answer(c.response, &c.options)
			if out.Gate != c.gate || out.Action != c.action || !slices.Contains(out.Flags, c.category) {
				t.Errorf("%q: %s by %s with %v", c.response, out.Action, out.Gate, out.Flags)
			}
			c.options.OffGates = []safety.Gate{c.gate}
			if out = safety.Answer(c.response, &c.options); out.Gate == c.gate {
				t.Errorf("%q: %s is off, and decides", c.response, c.gate)
			}
			c.options.OffGates, c.options.OffCategories = nil, []safety.Category{c.category}
			if out = safety.Answer(c.response, &c.options); slices.Contains(out.Flags, c.category) {
				t.Errorf("%q: %s is off, and is among %v", c.response, c.category, out.Flags)
			}
		})
	}
}

// TestAnObservedGateDoesNotKeepOtherGatesFromDeciding checks an answer that triggers gates with all three verdicts.
func TestAnObservedGateDoesNotKeepOtherGatesFromDeciding(t *testing.T) {
	const text = "Her SSN is 536-22-8145. Write me every day, or else. Maybe. It might work, perhaps, but I think " +
		"it depends. I guarantee it. I'll always be here for you."
	values, social, inaction := safety.ValuesBoundary, safety.SocialRisk, safety.InactionGuard
	overclaim, dependence := safety.OverclaimGate, safety.EmotionalDependenceGate
	for _, c := range []struct {
		name          string
		off, observed []safety.Gate
		action        safety.Action
		gate          safety.Gate
		// The field "ran" lists the gates that must run. The field "first" is the category that must come first in
		// the flags of the output.
		ran   []safety.Gate
		first safety.Category
		trip  bool
	}{
		{name: "none is observed", action: safety.Block, gate: values, ran: []safety.Gate{values}, first: safety.ThirdPartyPII},
		{
			name: "all are observed", observed: safety.Gates(), action: safety.Block, gate: values, ran: []safety.Gate{values},
			first: safety.ThirdPartyPII,
		},
		{
			name: "the first is observed", observed: []safety.Gate{values}, action: safety.Hold, gate: social,
			ran: []safety.Gate{values, social}, first: safety.FrequencyPressure,
		},
		{
			name: "the first two are observed", observed: []safety.Gate{values, social}, action: safety.Hold, gate: inaction,
			ran: []safety.Gate{values, inaction}, first: safety.ExcessiveHedging,
		},
		{
			name: "only a gate that flags is enforced", observed: []safety.Gate{values, social, inaction, overclaim},
			action: safety.Block, gate: values, ran: []safety.Gate{values, dependence}, first: safety.ThirdPartyPII, trip: true,
		},
		{
			name: "the first gate that flags is observed", off: []safety.Gate{values, social, inaction},
			observed: []safety.Gate{overclaim}, action: safety.Flag, gate: dependence, ran: []safety.Gate{overclaim, dependence},
			first: safety.Guarantee, trip: true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := safety.Answer(text, &safety.AnswerOptions{OffGates: c.off, ObservedGates: c.observed})
			var ran []safety.Gate
			for _, g := range out.Gates {
				ran = append(ran, g.Gate)
				for _, category := range g.Categories {
					if !slices.Contains(out.Flags, category) {
						t.Errorf("the flags %v do not have %s of %s", out.Flags, category, g.Gate)
					}
				}
			}
			if out.Action != c.action || out.Gate != c.gate || !slices.Equal(ran, c.ran) || out.DependenceTrip != c.trip {
				t.Errorf("%s by %s; ran %v; trip: %v", out.Action, out.Gate, ran, out.DependenceTrip)
			}
			if c.first != "" && out.Flags[0] != c.first {
				t.Errorf("flags %v", out.Flags)
			}
		})
	}
}

func TestNoPartOfABlockedAnswerShowsANumber(t *testing.T) {
	out := safety.Answer("Her SSN is 536-22-8145.", nil)
	if out.Masked != "Her SSN is [REDACTED-SSN]." || len(out.Gates) != 1 ||
		strings.Contains(out.Gates[0].Matched[0].Phrase, "536") {
		t.Errorf("%+v", out)
	}
}

func TestNoMatchShowsPersonalDataThatIsMasked(t *testing.T) {
	for _, c := range []struct{ name, message, response, category string }{
		{"cheerful marks", "my father died yesterday", "So great!! Write to anna@firma.de", "tone_mismatch"},
		{
			"a short answer", "Please explain to me in detail how the two workers of the new service share their work and why.",
			"See anna@firma.de", "short_response",
		},
		{"inside a match", "", "I will always anna@firma.de be here for you.", "permanence_promise"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := safety.Answer(c.response, &safety.AnswerOptions{UserMessage: c.message})
			if !strings.Contains(out.Masked, "[REDACTED-EMAIL]") {
				t.Fatalf("%q is not masked", out.Masked)
			}
			found := false
			for _, gate := range out.Gates {
				for _, m := range gate.Matched {
					found = found || string(m.Category) == c.category && strings.Contains(m.Phrase, "[REDACTED-EMAIL]")
					if strings.Contains(m.Phrase, "anna") {
						t.Errorf("%+v", m)
					}
				}
			}
			if !found {
				t.Errorf("no %s with the marker: %+v", c.category, out.Gates)
			}
		})
	}
}

func TestPersonalDataIsMaskedUnlessItIsTheUsersOwn(t *testing.T) {
	const mail = "Write to mary@acme.io or call +44 20 7946 0958."
	masked := []safety.Scrub{{Category: "email", Marker: "[REDACTED-EMAIL]"}}
	for _, c := range []struct {
		name, want string
		options    safety.AnswerOptions
		scrubs     []safety.Scrub
	}{
		{
			name: "both", want: "Write to [REDACTED-EMAIL] or call [REDACTED-PHONE].",
			scrubs: append(masked, safety.Scrub{Category: "phone", Marker: "[REDACTED-PHONE]"}),
		},
		{
			name: "the phone is the user's", want: "Write to [REDACTED-EMAIL] or call +44 20 7946 0958.",
			options: safety.AnswerOptions{UserMessage: "I am +44 20 7946 0958"}, scrubs: masked,
		},
		{
			name: "phones are off", want: "Write to [REDACTED-EMAIL] or call +44 20 7946 0958.",
			options: safety.AnswerOptions{PII: map[string]safety.Treatment{"phone": safety.Off}}, scrubs: masked,
		},
		{
			name: "both are only noted", want: mail,
			options: safety.AnswerOptions{PII: map[string]safety.Treatment{"phone": safety.Note, "email": safety.Note}},
			scrubs:  []safety.Scrub{},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := safety.Answer(mail, &c.options)
			if out.Masked != c.want || !slices.Equal(out.PIIScrub, c.scrubs) || out.Action != safety.Proceed {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestAShortAnswerIsFineForYesOrNoForCodeAndAfterTools(t *testing.T) {
	for name, c := range map[string]struct {
		response string
		options  safety.AnswerOptions
	}{
		"after tools": {"Done.", safety.AnswerOptions{UserMessage: longQuestion, ToolsRan: true}},
		"code":        {"`go mod tidy`", safety.AnswerOptions{UserMessage: longQuestion}},
		"yes or no": {"Yes, it is.", safety.AnswerOptions{
			UserMessage: "Is the queue still durable after the restart of all three brokers in the second cluster today?",
		}},
		"no question":  {"Got it.", safety.AnswerOptions{UserMessage: strings.TrimSuffix(strings.Repeat("the release slips ", 6), " ")}},
		"a short one":  {"Port 8080.", safety.AnswerOptions{UserMessage: "Which port?"}},
		"no message":   {"Done.", safety.AnswerOptions{}},
		"long and odd": {strings.Repeat("word ", 40), safety.AnswerOptions{UserMessage: longQuestion}},
	} {
		if out := safety.Answer(c.response, &c.options); out.Action != safety.Proceed {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

func TestNoiseIsReproducibleSmallAndRecorded(t *testing.T) {
	o := &safety.AnswerOptions{Dissent: true, Tenant: "acme", MessageID: "m-1"}
	first, again := safety.Answer("Sorry, I can't help with that.", o), safety.Answer("Sorry, I can't help with that.", o)
	for i, g := range first.Gates {
		wanted := g.Gate == safety.SocialRisk || g.Gate == safety.InactionGuard || g.Gate == safety.DissentGate
		if (g.Noise != nil) != wanted {
			t.Errorf("%s has the noise %v", g.Gate, g.Noise)
		}
		if g.Noise != nil && (*g.Noise != *again.Gates[i].Noise || *g.Noise < -0.05 || *g.Noise > 0.05) {
			t.Errorf("%s has the noise %v, then %v", g.Gate, *g.Noise, *again.Gates[i].Noise)
		}
	}
	if last := first.Gates[len(first.Gates)-1]; last.Gate != safety.InactionGuard || last.Verdict != safety.Hold {
		t.Errorf("%+v", first.Gates)
	}
	other := safety.Answer("Sorry, I can't help with that.", &safety.AnswerOptions{Dissent: true, Tenant: "acme", MessageID: "m-2"})
	if *other.Gates[1].Noise == *first.Gates[1].Noise {
		t.Errorf("two messages have the noise %v", *other.Gates[1].Noise)
	}
}

// TestNoiseDecidesAtTheThresholdInBothDirections answers a long question with four words, which have the score 0.50,
// and with five words, which have the score 0.45.
func TestNoiseDecidesAtTheThresholdInBothDirections(t *testing.T) {
	seen := map[string]bool{}
	for id := range 20000 {
		o := &safety.AnswerOptions{Dissent: true, Tenant: "acme", MessageID: strconv.Itoa(id), UserMessage: longQuestion}
		for words, text := range map[int]string{4: "Go ask him now.", 5: "I go to her car."} {
			out := safety.Answer(text, o)
			noise := *out.Gates[1].Noise
			score := 0.70 - 0.05*float64(words) + noise
			isHeld := math.Round(score*10000) >= 5000
			if (out.Action == safety.Hold) != isHeld {
				t.Fatalf("%q with the noise %v is %s", text, noise, out.Action)
			}
			seen[strconv.Itoa(words)+string(out.Action)] = true
		}
	}
	if want := []string{"4HOLD", "4PROCEED", "5HOLD", "5PROCEED"}; !slices.Equal(slices.Sorted(maps.Keys(seen)), want) {
		t.Errorf("seen %v, want %v", slices.Sorted(maps.Keys(seen)), want)
	}
}

func TestThreeTripsWithinAnHourMakeTheCooldownActive(t *testing.T) {
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, c := range []struct {
		name   string
		trips  []time.Time
		active bool
		count  int
	}{
		{"none", nil, false, 0},
		{"two", []time.Time{ago(time.Minute), now}, false, 2},
		{"three", []time.Time{ago(time.Hour), ago(time.Minute), now}, true, 3},
		{"one is too old", []time.Time{ago(time.Hour + time.Second), ago(time.Minute), now}, false, 2},
	} {
		count := 0
		for _, trip := range c.trips {
			if safety.Counts(trip, now) {
				count++
			}
		}
		if d := safety.Cooldown(count); d.Active != c.active || d.RecentCount != c.count {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
}
