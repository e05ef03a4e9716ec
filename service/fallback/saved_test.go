package fallback

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/rules"
)

func TestASnapshotIsWrittenAgainOnlyIfMoreThanTheTimeDiffers(t *testing.T) {
	now := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	home := t.TempDir()
	k := &Keeper{
		Env: func(name string) string { return map[string]string{product.VariableHome: home}[name] },
		Now: func() time.Time { return now },
	}
	save := func(names ...string) (written time.Time) {
		t.Helper()
		if _, err := k.SaveSnapshot("/p", "", snapshotOf(now, 0, names...), never); err != nil {
			t.Fatal(err)
		}
		last, err := k.ReadSnapshot("/p", "")
		if err != nil || len(last.Layers[0].Guidelines) != len(names) {
			t.Fatalf("got %v, %v", last, err)
		}
		return last.Time
	}
	many := make([]string, 500) // so many that the file is larger than the buffer
	for i := range many {
		many[i] = fmt.Sprint(i, strings.Repeat("x", 150))
	}
	for _, c := range []struct {
		what    string
		names   []string
		written bool
	}{
		{"nothing was saved", many, true},
		{"the same guidelines", many, false},
		{"one guideline less", many[:499], true},
		{"one guideline more", many, true},
		{"another last guideline", append(many[:499:499], "other"), true},
		{"another first guideline", append([]string{"other"}, many[1:]...), true},
		{"no guideline", nil, true},
		{"again no guideline", nil, false},
	} {
		now = now.Add(time.Hour)
		if got := save(c.names...); got.Equal(now) != c.written {
			t.Errorf("%s: the file has the time %s at %s", c.what, got, now)
		}
	}
}

func TestAnUnreadableSnapshotIsReplaced(t *testing.T) {
	home := t.TempDir()
	k := &Keeper{
		Env: func(name string) string { return map[string]string{product.VariableHome: home}[name] }, Now: time.Now,
	}
	d, _, err := k.Dir(product.SnapshotFolder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.Path(k.snapshotName("/p", "")), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.SaveSnapshot("/p", "", snapshotOf(time.Now(), 0, "a"), never); err != nil {
		t.Fatal(err)
	}
	if last, err := k.ReadSnapshot("/p", ""); err != nil || last.isEmpty() {
		t.Errorf("got %v, %v", last, err)
	}
}

func snapshotOf(at time.Time, changes int64, names ...string) *Snapshot {
	return &Snapshot{
		Time: at, Settings: Settings{Changes: changes}, Layers: []Layer{{Name: "project", Guidelines: named(names...)}},
	}
}

func never() bool { return false }

func named(names ...string) (out []*rules.Source) {
	for i, name := range names {
		out = append(out, &rules.Source{Guideline: guideline.Guideline{
			ID: fmt.Sprint("g", i), Name: name, Category: guideline.Custom,
			Action: guideline.Action{Type: guideline.Instruction, Instruction: "Be kind."},
		}})
	}
	return out
}
