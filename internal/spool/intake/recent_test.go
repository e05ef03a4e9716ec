package intake_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool"
	"guardrails/internal/spool/intake"
	"guardrails/store"
)

func (w *fixture) recent(since time.Time) string {
	w.t.Helper()
	var got []string
	check(w.t, intake.Recent(w.t.Context(), []string{w.spool, w.base + "/missing"}, since, `"kind":"safety_`, func(e *store.Entry) {
		got = append(got, e.Tenant+" "+e.ID+" "+e.Event)
	}))
	return strings.Join(got, ", ")
}

func TestRecentReadsTheNewestLinesWhetherOrNotTheyWereMoved(t *testing.T) {
	w := newFixture(t)
	line := func(id string, age time.Duration, tenant string) string {
		r := spool.Record{Time: w.now.Add(-age).Format(time.RFC3339Nano), ID: spool.CheckID + id, Kind: "safety_output", Project: "/p", Tenant: tenant}
		return string(r.Line())
	}
	w.write(line("old", 2*time.Hour, "acme"), line("a", time.Minute, "acme"))
	w.all(w.intake())
	w.write(record(1, "/p"), "damaged safety_", `{"kind":"safety_input"}`, line("b", time.Second, "other"))
	w.now = w.now.AddDate(0, 0, 1)
	w.write(line("c", 0, "acme"))
	if got := w.recent(w.now.Add(-25 * time.Hour)); got != "acme chk_c safety_output, acme chk_a safety_output, other chk_b safety_output" {
		t.Errorf("got %s", got)
	}
	if got := w.recent(w.now.Add(-time.Hour)); got != "acme chk_c safety_output" {
		t.Errorf("the last hour: %s", got)
	}
}

func TestRecentReadsOnlyTheEndOfALargeSpool(t *testing.T) {
	w := newFixture(t)
	const fills = 300
	more := `,"input":"` + strings.Repeat("x", 32<<10) + `"`
	safety := strings.Replace(record(1, "/p", more), `"kind":"decision"`, `"kind":"safety_output"`, 1)
	for range fills {
		w.write(safety)
	}
	if got := strings.Count(w.recent(w.now.Add(-2*time.Hour)), "safety_output"); got < 200 || got >= fills {
		t.Errorf("read %d of %d lines", got, fills)
	}
}

func TestRecentStopsWhenTheContextIsDone(t *testing.T) {
	w := newFixture(t)
	w.write(strings.Replace(record(1, "/p"), `"kind":"decision"`, `"kind":"safety_output"`, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := intake.Recent(ctx, []string{w.spool}, time.Time{}, "safety_", func(e *store.Entry) { t.Errorf("%+v", e) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
