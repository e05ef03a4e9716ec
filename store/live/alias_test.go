package live_test

import (
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

func TestAnAliasNamesItsGuidelineInEveryCall(t *testing.T) {
	tenant := open(t, newFile(t)).For(as("a"))
	g := small("new-name")
	g.Metadata = map[string]any{"aliases": []any{"old-name"}}
	_, err := tenant.Create(t.Context(), g)
	check(t, err)
	got, err := tenant.Get(t.Context(), "old-name")
	if err != nil || got.ID != "new-name" {
		t.Errorf("get: %+v, %v", got, err)
	}
	got, err = tenant.Edit(t.Context(), live.Ref{ID: "old-name", Version: 1}, rename("Another name"))
	if err != nil || got.ID != "new-name" || got.Version != 2 {
		t.Errorf("edit: %+v, %v", got, err)
	}
	got, err = tenant.Toggle(t.Context(), live.Ref{ID: "old-name", Version: 2})
	if err != nil || got.ID != "new-name" || got.Enabled {
		t.Errorf("toggle: %+v, %v", got, err)
	}
	page, err := tenant.History(t.Context(), "old-name", store.Paging{})
	if err != nil || page.Total != 3 {
		t.Errorf("history: %+v, %v", page, err)
	}
	check(t, tenant.Delete(t.Context(), live.Ref{ID: "old-name", Version: 3}))
	if _, err := tenant.Get(t.Context(), "old-name"); store.CodeOf(err) != store.NotFound {
		t.Errorf("after the deletion: %v", err)
	}
}

func TestAnEditWithoutAChangeMakesNoVersion(t *testing.T) {
	tenant := open(t, newFile(t)).For(as("a"))
	created, err := tenant.Create(t.Context(), small("one"))
	check(t, err)
	keep := func(g guideline.Guideline) (guideline.Guideline, error) { return g, nil }
	for _, version := range []int{0, 1} {
		got, err := tenant.Edit(t.Context(), live.Ref{ID: "one", Version: version}, keep)
		if err != nil || got.Version != 1 || !got.UpdatedAt.Equal(created.UpdatedAt) {
			t.Errorf("version %d: %+v, %v", version, got, err)
		}
	}
	page, err := tenant.Audit(t.Context(), store.AuditQuery{})
	if err != nil || page.Total != 1 {
		t.Errorf("the audit has %d entries, %v", page.Total, err)
	}
	_, err = tenant.Edit(t.Context(), live.Ref{ID: "one", Version: 1}, rename("n2"))
	check(t, err)
	if _, err := tenant.Edit(
		t.Context(), live.Ref{ID: "one", Version: 1}, rename("n"),
	); store.CodeOf(err) != store.Conflict {
		t.Errorf("an edit of an older version: %v", err)
	}
}
