package apply

import (
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

func TestApplyDoesNotUndoAConcurrentChange(t *testing.T) {
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"HOME": home}[name] }
	opened, err := open.Open(t.Context(), &config.Config{}, open.Options{Env: env, Now: time.Now, Make: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close() }()
	b := opened.For(live.Caller{Actor: "dev"})
	g, err := b.Create(t.Context(), guideline.Guideline{
		ID: "a", Name: "A", Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: "A."},
	})
	if err != nil {
		t.Fatal(err)
	}
	g.Name = "Mine"
	item, err := plan(t.Context(), b, &g, false)
	if err != nil || item.Outcome != store.ItemUpdated {
		t.Fatalf("%+v, %v", item, err)
	}
	if _, err := b.Toggle(t.Context(), live.Ref{ID: "a", Version: g.Version}); err != nil {
		t.Fatal(err)
	}
	if err := carryOut(t.Context(), b, &g, &item); store.CodeOf(err) != store.Conflict ||
		item.Outcome != store.ItemFailed || item.Code != store.Conflict {
		t.Errorf("%+v, %v", item, err)
	}
	if now, err := b.Get(t.Context(), "a"); err != nil || now.Name == "Mine" {
		t.Errorf("%+v, %v", now, err)
	}
}
