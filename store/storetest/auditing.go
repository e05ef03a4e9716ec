package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// decision() returns an entry like those that hooks append.
func decision(id string) store.Entry {
	return store.Entry{
		ID: id, Kind: store.KindDecision, Event: "tool_call", Actor: "backend", Session: "s1", Guideline: "one",
		GuidelineName: "Guideline one", Version: 2,
		Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Decision: &store.Decision{
			Result: "deny", Reason: "not <yours>", Tool: "Bash", Effects: "abc123", Micros: 512, Fallback: "static_rules",
		},
		Context: &guideline.Context{
			Agent: "backend", Paths: []string{"src/a b.go"}, Metadata: map[string]any{"n": 1.5, "list": []any{"x"}},
		},
	}
}

func auditing() []test {
	return []test{
		{"every change MUST have an audit entry", changesAreAudited},
		{"Query() MUST return an appended entry as Append() returned it", readsWhatItAppended},
		{"an entry that is appended again MUST stay as it is", appendsOnce},
		{"an append with an invalid entry MUST be Invalid and add no entry", refusesInvalidEntries},
		{"an entry without a time MUST get the time of the append", setsEntryTimes},
		{"invalid UTF-8 MUST NOT break the chain", sealsInvalidUTF8},
		{"appending nothing MUST NOT be an error", appendsNothing},
	}
}

func readsWhatItAppended(b *bench) {
	sealed, err := b.Append(b.ctx(), "a", decision("one"))
	b.must(err)
	got := b.entries("a", store.AuditFilter{}, 1)[0]
	want := decision("one")
	want.Tenant, want.Writer, want.Seq, want.Prev, want.Hash = "a", got.Writer, 1, "", got.Hash
	for what, e := range map[string]store.Entry{"acknowledged": sealed[0], "read": got} {
		if g, w := canonical(b, e), canonical(b, want); g != w || e.Hash == "" || e.Writer == "" {
			b.Errorf("%s: got  %s\nwant %s", what, g, w)
		}
	}
}

func appendsOnce(b *bench) {
	first, err := b.Append(b.ctx(), "a", decision("one"), decision("two"))
	b.must(err)
	other := decision("two")
	other.Actor = "mallory"
	again, err := b.Append(b.ctx(), "a", other, decision("three"), decision("three"))
	b.must(err)
	if again[0].Hash != first[1].Hash || again[0].Actor != "backend" || again[1].Seq != 3 ||
		again[2].Hash != again[1].Hash {
		b.Errorf("got %+v", again)
	}
	b.entries("a", store.AuditFilter{}, 3)
	b.checkVerifies("a")
}

func refusesInvalidEntries(b *bench) {
	for what, spoil := range map[string]func(e *store.Entry){
		"id": func(e *store.Entry) { e.ID = "" }, "id with a space": func(e *store.Entry) { e.ID = "a b" },
		"kind": func(e *store.Entry) { e.Kind = "rumour" }, "event": func(e *store.Entry) { e.Event = "" },
		"tenant": func(e *store.Entry) { e.Tenant = "b" }, "actor": func(e *store.Entry) { e.Actor = "a\x00b" },
		"time":    func(e *store.Entry) { e.Time = time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC) },
		"size":    func(e *store.Entry) { e.Decision.Reason = strings.Repeat("x", store.MaxEntry) },
		"context": func(e *store.Entry) { e.Context.Metadata = map[string]any{"f": func() {}} },
	} {
		bad := decision("bad")
		spoil(&bad)
		if _, err := b.Append(b.ctx(), "a", decision("good"), bad); store.CodeOf(err) != store.Invalid {
			b.Errorf("a wrong %s: got %v", what, err)
		}
	}
	b.entries("a", store.AuditFilter{}, 0)
}

func setsEntryTimes(b *bench) {
	e := decision("one")
	e.Time = time.Time{}
	sealed, err := b.Append(b.ctx(), "a", e)
	b.must(err)
	if age := time.Since(sealed[0].Time); age < -time.Minute || age > time.Hour {
		b.Errorf("got %v", sealed[0].Time)
	}
}

func sealsInvalidUTF8(b *bench) {
	e := decision("one")
	e.Decision.Reason, e.Context.Paths = "bad \xff\xfe", []string{"\x80\ufffd\u2028"}
	_, err := b.Append(b.ctx(), "a", e, decision("two"))
	b.must(err)
	b.entries("a", store.AuditFilter{}, 2)
	b.checkVerifies("a")
}

func appendsNothing(b *bench) {
	sealed, err := b.Append(b.ctx(), "a")
	b.must(err)
	if len(sealed) != 0 {
		b.Errorf("got %v", sealed)
	}
}

func canonical(b *bench, e store.Entry) string {
	b.Helper()
	text, err := store.EncodeEntry(&e)
	b.must(err)
	return string(text)
}

func changesAreAudited(b *bench) {
	g := b.create("a", simple("one"))
	g.Priority, g.Condition.Agents, g.Action.ToolsDenied = 600, nil, []string{"Write(src/*)"}
	updating := w("a")
	updating.Actor, updating.Session = "bob", "s7"
	_, err := b.Update(b.ctx(), updating, g)
	b.must(err)
	_, err = b.Toggle(b.ctx(), w("a"), store.Ref{Key: "one", Version: 2})
	b.must(err)
	b.must(b.Delete(b.ctx(), w("a"), store.Ref{Key: "one", Version: 3}))
	_, err = b.Restore(b.ctx(), w("a"), store.Ref{Key: "one", Version: 4}, 1)
	b.must(err)
	entries := b.entries("a", store.AuditFilter{Guideline: "one"}, 5)
	slices.Reverse(entries)
	for i, event := range []string{store.Created, store.Updated, store.Disabled, store.Deleted, store.Restored} {
		if e := entries[i]; e.Event != event || e.Version != i+1 || e.Kind != store.KindChange ||
			e.GuidelineName != "Guideline one" {
			b.Errorf("entry %d is %+v", i, e)
		}
	}
	e := entries[1]
	if e.Actor != "bob" || e.Session != "s7" || e.ID == "" {
		b.Errorf("got %+v", e)
	}
	if got, want := changed(e), []string{
		`action.tools_denied:  -> ["Write(src/*)"]`, `condition.agents: ["backend"] -> `, `priority: 500 -> 600`,
	}; !reflect.DeepEqual(got, want) {
		b.Errorf("got %q, want %q", got, want)
	}
	if got := changed(entries[2]); !reflect.DeepEqual(got, []string{"enabled: true -> false"}) {
		b.Errorf("got %q", got)
	}
	b.checkVerifies("a")
}

func changed(e store.Entry) (out []string) {
	for _, c := range e.Changes {
		out = append(out, fmt.Sprintf("%s: %s -> %s", c.Field, c.Old, c.New))
	}
	return out
}

// checkVerifies checks that every chain of a tenant passes verification, and returns the verdicts.
func (b *bench) checkVerifies(tenant string, noted ...store.Head) []store.Verdict {
	b.Helper()
	verdicts, err := b.Verify(b.ctx(), tenant, nil, noted...)
	b.must(err)
	for _, v := range verdicts {
		if v.Fault != nil {
			b.Errorf("the chain %+v: %+v", v.Chain, *v.Fault)
		}
	}
	return verdicts
}
