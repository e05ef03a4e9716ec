package store

import (
	"testing"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

func TestWhoIsFasterWhileGuidelinesAreAppliedIsNotUndone(t *testing.T) {
	home := t.TempDir()
	a := &app.App{System: &app.System{Env: func(name string) string { return map[string]string{"HOME": home}[name] }}}
	opened, err := a.OpenOrCreate(t.Context(), &config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close() }()
	b := &book{TenantStore: opened.For(live.Caller{Actor: "dev"})}
	g, err := b.Create(t.Context(), guideline.Guideline{ID: "a", Name: "A", Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction, Instruction: "A."}})
	if err != nil {
		t.Fatal(err)
	}
	g.Name = "Mine"
	item, err := b.planned(t.Context(), &g, false)
	if err != nil || item.Outcome != store.ItemUpdated {
		t.Fatalf("%+v, %v", item, err)
	}
	if _, err := b.Toggle(t.Context(), store.Ref{ID: "a", Version: g.Version}); err != nil {
		t.Fatal(err)
	}
	if err := b.put(t.Context(), &g, &item); store.CodeOf(err) != store.Conflict || item.Outcome != store.ItemFailed || item.Code != store.Conflict {
		t.Errorf("%+v, %v", item, err)
	}
	if now, err := b.Get(t.Context(), "a"); err != nil || now.Name == "Mine" {
		t.Errorf("%+v, %v", now, err)
	}
}
