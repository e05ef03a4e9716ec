package store

import (
	"bytes"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/guideline"
	"guardrails/service/replay"
	"guardrails/store"
)

func TestLongValuesAreCutAndMissingOnesShown(t *testing.T) {
	if got := valueText(bytes.Repeat([]byte("é"), 500)); got != strings.Repeat("é", maxValue)+"…" {
		t.Errorf("a long value is shown as %s", got)
	}
	if got := valueText(nil); got != "(none)" {
		t.Errorf("no value is shown as %s", got)
	}
}

func TestDamageWithoutAnEntryHasNoPosition(t *testing.T) {
	var p app.Printer
	printFault(&p,
		&store.Verdict{
			Head: store.Head{Chain: store.Chain{Kind: store.KindChange}},
			Fault: &store.Fault{
				Damage: store.Altered,
				Why:    "the store lists version 2 of the guideline a, which never was",
			},
		})
	if got := p.String(); got != "altered  the store lists version 2 of the guideline a, which never was\n" {
		t.Errorf("got %s", got)
	}
}

func TestAReplaySaysMoreAboutTheSavedGuidelinesOnlyIfThereIsAFile(t *testing.T) {
	const line = "allow -> deny by no-push, 2 calls"
	for _, c := range []struct {
		byDraft, hasFile bool
		want             string
	}{
		{true, true, line},
		{false, true, line + "; this difference does not come from the file: the saved guidelines already decide " +
			"differently from the record, or they cannot judge the call"},
		{false, false, line},
	} {
		var p app.Printer
		printGroup(&p, &replay.Group{
			Was: replay.Verdict{Result: "allow"}, Would: replay.Verdict{Result: "deny", Guideline: "no-push"},
			ByDraft: c.byDraft, Count: 2, Calls: make([]replay.Call, 2),
		}, c.hasFile)
		if got, _, _ := strings.Cut(p.String(), "\n"); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestAnExportHasOnlyWhatPeopleWrite(t *testing.T) {
	all := []guideline.Guideline{
		{ID: "a", Version: 3, CreatedBy: "dev", TenantID: "shop"},
		{ID: "b", Category: guideline.Security},
	}
	if got := authored(all, guideline.Security); len(got) != 1 || got[0].ID != "b" {
		t.Errorf("of a category: %+v", got)
	}
	if got := authored(all, ""); len(got) != 2 || got[0].Version != 0 || got[0].CreatedBy != "" ||
		got[0].TenantID != "" || all[0].Version != 3 {
		t.Errorf("of all: %+v", got)
	}
}
