package service_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/service"
	"guardrails/service/screening"
)

func TestEachVerdictIsCounted(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
		"  - {name: note, when: {message_contains: invoice}, actions: [{type: annotate, tag: bill}, {type: fire_event, event: a.b}, {type: stop}]}\n" +
		"  - {name: hold, when: {message_contains: salary}, actions: [{type: override_safety, action: HOLD}]}\n"})
	p.user("safety: {mode: observe}\n")
	var got []string
	counts := map[string]int{}
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
		OnMasked: func(category string) { counts[category]++ },
		OnChecked: func(c service.Checked) {
			got = append(got, strings.TrimSpace(strings.Join([]string{c.Stage, c.Gate, c.Action, c.Mode, strings.Join(c.Actions, "+")}, " ")))
		},
	})
	p.checked(s, "hello")
	p.checked(s, "I want to kill myself")
	p.checked(s, "I want to kill myself", func(in *screening.Message) { in.DryRun = true })
	p.checked(s, "the invoice")
	p.checked(s, "the salary")
	_, err := s.CheckResponse(t.Context(), screening.Response{Text: "Mail anna@firma.de."})
	check(t, err)
	p.reply(s, "hello", unsafe)
	want := []string{
		"input none proceed observe", "input InputCheck block observe", "input none proceed observe fire_event+annotate+stop",
		"input policy hold observe override_safety", "output none proceed observe", "input none proceed observe",
		"output ValuesBoundary block observe",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// In a session, the answer itself is not changed, because the person has already seen it.
	if len(counts) != 1 || counts["email"] != 1 {
		t.Errorf("masked: %v", counts)
	}
}

func TestARuleCountsOnlyIfItSetTheVerdict(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails-policies.yaml": policies +
		"  - {name: soft, when: {message_contains: TSLA}, actions: [{type: override_safety, action: PROCEED}]}\n"})
	var got []string
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
		OnChecked: func(c service.Checked) { got = append(got, c.Gate+" "+c.Action+" "+strings.Join(c.Actions, "+")) },
	})
	p.checked(s, "Should I buy TSLA?")
	p.trust()
	p.checked(s, "Should I buy TSLA?")
	if want := []string{"InputCheck block ", "policy proceed override_safety"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
