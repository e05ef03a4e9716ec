package main

import (
	"io"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

func TestWhoIsFasterWhileGuidelinesAreAppliedIsNotUndone(t *testing.T) {
	s := storeSession(t)
	a := &app{world: &world{env: func(name string) string { return s.variables[name] }}}
	opened, err := a.openStore(t.Context(), &config.Config{}, isError)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close() }()
	b := &book{Book: opened.For(live.Who{Actor: "dev"})}
	g, err := b.Get(t.Context(), "a")
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

func TestAnAnswerThatCannotBeWrittenFails(t *testing.T) {
	s := storeSession(t)
	for _, line := range []string{"get a", "list", "history a", "export", "export --all", "audit list", "audit export", "audit verify"} {
		var stderr strings.Builder
		code := run(strings.Fields(line), &world{
			stdout: closedPipe{}, stderr: &stderr, stdin: strings.NewReader(""), cwd: s.root, user: func() string { return "dev" },
			env: func(name string) string { return s.variables[name] },
		})
		if code != failed || !strings.Contains(stderr.String(), "cannot be written") && !strings.Contains(stderr.String(), "not everything: "+io.ErrClosedPipe.Error()) {
			t.Errorf("%s: exit %d: %s", line, code, stderr.String())
		}
	}
}

func TestTheAuditNamesWhoeverRunsTheProgram(t *testing.T) {
	if currentUser() == "" {
		t.Error("nobody runs it")
	}
}

func TestWhatIsExportedIsWhatPeopleWrote(t *testing.T) {
	all := []guideline.Guideline{{ID: "a", Version: 3, CreatedBy: "dev", TenantID: "shop"}, {ID: "b", Category: guideline.Security}}
	if got := written(all, guideline.Security); len(got) != 1 || got[0].ID != "b" {
		t.Errorf("of a category: %+v", got)
	}
	if got := written(all, ""); len(got) != 2 || got[0].Version != 0 || got[0].CreatedBy != "" || got[0].TenantID != "" || all[0].Version != 3 {
		t.Errorf("of all: %+v", got)
	}
}
