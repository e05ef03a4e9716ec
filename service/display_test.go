package service_test

import (
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
)

func TestPersonalDataInAShownAnswerIsMaskedIfTheSettingsAskForIt(t *testing.T) {
	const text, masked = "Mail anna@firma.de about commit 3f2a9c1.\n", "Mail [REDACTED-EMAIL] about commit 3f2a9c1.\n"
	for _, c := range []struct{ name, settings, shown, want, recorded string }{
		{"switched on", "display: {mask: on}\n", text, masked, "decision warn data"},
		{"switched off", "", text, "", ""},
		{"nothing personal", "display: {mask: on}\n", "All 42 tests pass.\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				".claude/guardrails.yaml": "packs: []\n" + c.settings, ".claude/guardrails/a.yaml": reacting,
			})
			a := p.ask(service.Request{Hook: true, Display: c.shown, Context: guideline.Context{SessionID: "s"}})
			if a.Display != c.want || a.SessionCache != "" || p.spooled() != c.recorded {
				t.Errorf("got %q, recorded %q", a.Display, p.spooled())
			}
		})
	}
}

func TestEachMaskedPartIsCountedByItsCategory(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\ndisplay: {mask: on}\n"})
	counts := map[string]int{}
	s := service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
		OnMasked: func(category string) { counts[category]++ },
	})
	getContext(t, s, service.Request{Hook: true, Display: "a@firma.de b@firma.de +49 151 23456789"})
	if len(counts) != 2 || counts["email"] != 2 || counts["phone"] != 1 {
		t.Errorf("counted %v", counts)
	}
}
