package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// fillAudit appends entries that differ in day, session, actor, guideline and event. The entries are not in
// chronological order.
func fillAudit(b *bench) []store.Entry {
	base := time.Date(2026, 2, 27, 23, 58, 30, 500_000_000, time.UTC)
	var all []store.Entry
	for i := range 120 {
		e := decision(fmt.Sprintf("e%03d", i))
		e.Time = base.Add(time.Duration(i*37%120) * 17 * time.Minute).Add(time.Duration(i%7) * time.Millisecond)
		e.Actor, e.Session, e.Guideline = fmt.Sprint("actor", i%2), fmt.Sprint("session", i/30), fmt.Sprint("g", i%5)
		if i%4 == 0 {
			e.Event, e.Guideline = "gate_decision", ""
		}
		if i%10 == 0 {
			e.Actor = ""
		}
		e.Decision = &store.Decision{Result: []string{"allow", "deny", "ask"}[i%3], Reason: `"project_id":"shop"`}
		e.ProjectID = []string{"", "shop", "github.com/acme/<shop>"}[i%7%3]
		e.Context = &guideline.Context{Agent: []string{"backend", "", `te"st\\er é`}[i/2%3]}
		if i%8 == 1 {
			mode := []string{"enforce", "observe"}[i/8%2]
			e.Context.Metadata = map[string]any{"details": map[string]any{"mode": mode, "flags": []any{"mode"}}}
		}
		if i%11 == 0 {
			e.Kind, e.Event, e.Decision = store.KindChange, "other_change", nil
		}
		all = append(all, e)
	}
	for part := range slices.Chunk(all, 50) {
		_, err := b.Append(b.ctx(), "a", part...)
		b.must(err)
	}
	b.entries("a", store.AuditFilter{}, len(all))
	return all
}

// filters() returns filters of every kind for the entries of fillAudit.
func filters() []store.AuditFilter {
	at := func(d time.Duration) time.Time { return time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC).Add(d) }
	out := []store.AuditFilter{
		{},
		{Guideline: "g1"},
		{Event: "gate_decision"},
		{Session: "session2"},
		{Actor: "actor1"},
		{Actor: "nobody"},
		{Event: "never"},
		{Guideline: "one"},
		{Guideline: "g1", Actor: "actor1"},
		{Session: "session0", Event: "tool_call"},
		{Session: "session0", Event: "gate_decision", Actor: "actor0"},
		{Actor: "actor1", Event: "gate_decision"},
		{Kind: store.KindChange},
		{Kind: store.KindDecision},
		{Kind: store.KindDecision, Result: "deny"},
		{Kind: store.KindChange, Result: "deny"},
		{Result: "ask"},
		{Result: "never"},
		{Project: "shop"},
		{Project: "github.com/acme/<shop>", Result: "allow"},
		{Project: "none"},
		{Kind: store.KindChange, Actor: "actor1", Project: "shop"},
		{Agent: "backend"},
		{Agent: `te"st\\er é`},
		{Agent: "actor1"},
		{Agent: "backend", Actor: "actor1", Event: "tool_call"},
		{Agent: "backend", Kind: store.KindDecision, Result: "deny", Project: "shop"},
		{Mode: "enforce"},
		{Mode: "observe", Result: "deny"},
		{Mode: "off"},
		{Mode: "enforce", Session: "session0", Guideline: "g1"},
		{Result: "deny", Session: "session1", Event: "gate_decision"},
		{Guideline: "g2", Session: "session3", Actor: "actor0", Event: "tool_call"},
	}
	for _, f := range slices.Clone(out) {
		for _, span := range [][2]time.Time{
			{at(0), {}},
			{{}, at(0)},
			{at(0), at(24 * time.Hour)},
			{at(time.Minute + 1), at(90*time.Minute + 7*time.Millisecond)},
			{at(5 * time.Hour), at(5 * time.Hour)},
			{at(6 * time.Hour), at(5 * time.Hour)},
			{at(-time.Minute), at(30 * time.Hour)},
			{
				at(7*time.Minute + 30*time.Second + 501*time.Millisecond),
				at(7*time.Minute + 30*time.Second + 502*time.Millisecond),
			},
		} {
			f.From, f.To = span[0], span[1]
			out = append(out, f)
		}
	}
	return out
}

// matches() reports whether an entry matches a filter.
func matches(e *store.Entry, f *store.AuditFilter) bool {
	return (f.ID == "" || f.ID == e.ID) && (f.Guideline == "" || f.Guideline == e.Guideline) && (f.Event == "" || f.Event == e.Event) &&
		(f.Kind == "" || f.Kind == e.Kind) && (f.Project == "" || f.Project == e.ProjectID) &&
		(f.Result == "" || e.Decision != nil && f.Result == e.Decision.Result) &&
		(f.Agent == "" || f.Agent == e.Context.Agent) && (f.Mode == "" || f.Mode == e.Mode()) &&
		(f.Session == "" || f.Session == e.Session) && (f.Actor == "" || f.Actor == e.Actor) &&
		(f.From.IsZero() || !e.Time.Before(f.From)) && (f.To.IsZero() || e.Time.Before(f.To))
}

// expected() returns the ids of the matching entries, newest first.
func expected(all []store.Entry, f *store.AuditFilter) (ids []string) {
	var out []store.Entry
	for i := range all {
		if matches(&all[i], f) {
			out = append(out, all[i])
		}
	}
	slices.SortStableFunc(out, func(x, y store.Entry) int { return y.Time.Compare(x.Time) })
	for i := range out {
		ids = append(ids, out[i].ID)
	}
	return ids
}

func searching() []test {
	return []test{
		{"Query() MUST return matching entries newest first, in pages, with the exact total", queries},
		{"a page after the last one MUST be empty and have the total", endsAtTheLastPage},
		{"Export() MUST yield every matching entry once, oldest first", exportsMatching},
		{"an export of more than one batch MUST be complete, even while entries are appended", exportsMany},
		{"a reader MAY stop an export early", stopsExports},
	}
}

func queries(b *bench) {
	all := fillAudit(b)
	one := all[len(all)/2]
	for _, f := range append(filters(), store.AuditFilter{ID: one.ID}, store.AuditFilter{ID: one.ID, From: one.Time, Actor: one.Actor},
		store.AuditFilter{ID: one.ID, Actor: "nobody"}, store.AuditFilter{ID: one.ID, To: one.Time}, store.AuditFilter{ID: "none"}) {
		want, got := expected(all, &f), []string{}
		for page := 1; page == 1 || len(got) < len(want); page++ {
			p, err := b.Query(b.ctx(), "a", store.AuditQuery{AuditFilter: f, Paging: store.Paging{Page: page, Size: 50}})
			b.must(err)
			if p.Total != len(want) || p.Page != page || len(p.Items) != min(50, len(want)-len(got)) {
				b.Fatalf("%+v: page %d has %d items of %d, want %d in all", f, page, len(p.Items), p.Total, len(want))
			}
			got = append(got, idsOf(p.Items)...)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			b.Errorf("%+v\ngot  %v\nwant %v", f, got, want)
		}
	}
}

func endsAtTheLastPage(b *bench) {
	fillAudit(b)
	p, err := b.Query(b.ctx(), "a", store.AuditQuery{Paging: store.Paging{Page: 100, Size: 100}})
	b.must(err)
	if p.Total != 120 || len(p.Items) != 0 || p.Items == nil {
		b.Errorf("got %+v", p)
	}
}

func exportsMatching(b *bench) {
	all := fillAudit(b)
	for _, f := range filters() {
		want := expected(all, &f)
		slices.Reverse(want)
		got, err := b.export("a", f)
		b.must(err)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			b.Errorf("%+v\ngot  %v\nwant %v", f, got, want)
		}
	}
}

func exportsMany(b *bench) {
	const many = 1100 // more than one batch of any driver
	var batch []store.Entry
	for i := range many {
		batch = append(batch, decision(fmt.Sprint("e", i)))
	}
	_, err := b.Append(b.ctx(), "a", batch...)
	b.must(err)
	seen := map[string]bool{}
	for e, err := range b.Export(b.ctx(), "a", store.AuditFilter{Session: "s1"}) {
		b.must(err)
		if seen[e.ID] {
			b.Fatalf("%s was exported twice", e.ID)
		}
		if seen[e.ID] = true; len(seen)%500 == 1 {
			_, err := b.Append(b.ctx(), "a", decision(fmt.Sprint("late", len(seen))))
			b.must(err)
		}
	}
	for i := range batch {
		if !seen[batch[i].ID] {
			b.Fatalf("%s is missing", batch[i].ID)
		}
	}
}

func stopsExports(b *bench) {
	fillAudit(b)
	for _, err := range b.Export(b.ctx(), "a", store.AuditFilter{}) {
		b.must(err)
		break
	}
}

func (b *bench) export(tenant string, f store.AuditFilter) (ids []string, err error) {
	for e, failed := range b.Export(b.ctx(), tenant, f) {
		if err != nil {
			return ids, errors.New("the export went on after an error")
		}
		if err = failed; err == nil {
			ids = append(ids, e.ID)
		}
	}
	return ids, err
}

func idsOf(entries []store.Entry) (ids []string) {
	for i := range entries {
		ids = append(ids, entries[i].ID)
	}
	return ids
}
