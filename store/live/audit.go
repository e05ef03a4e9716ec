package live

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"guardrails/store"
)

// Append adds entries to the audit, with secrets masked. Existing entries with the same ids do not change.
func (t *TenantStore) Append(ctx context.Context, entries ...store.Entry) ([]store.Entry, error) {
	if err := t.store.mayChange(ctx, t.caller.Tenant); err != nil {
		return nil, err
	}
	entries = slices.Clone(entries)
	for i := range entries {
		t.store.maskEntry(&entries[i])
	}
	t.store.touch(t.caller.Tenant)
	c := t.store.conn
	sealed, err := call(ctx, c, c.appends, t.holder(), func(s store.Store, _ int64) ([]store.Entry, error) {
		return s.Append(ctx, t.caller.Tenant, entries...)
	})
	for i := range sealed {
		e := &sealed[i]
		t.store.announce(Event{Kind: DecisionMade, Tenant: t.caller.Tenant, Guideline: e.Guideline, Actor: e.Actor, Entry: e})
	}
	return sealed, err
}

// Audit returns one page of the audit, newest first.
func (t *TenantStore) Audit(ctx context.Context, q store.AuditQuery) (store.Page[store.Entry], error) {
	return readStore(ctx, t, func(s store.Store) (store.Page[store.Entry], error) {
		return s.Query(ctx, t.caller.Tenant, q)
	})
}

// Entries yields every entry of the audit that matches a filter, oldest first.
func (t *TenantStore) Entries(ctx context.Context, f store.AuditFilter) iter.Seq2[store.Entry, error] {
	return stream(ctx, t.store.conn, func(s store.Store) iter.Seq2[store.Entry, error] {
		return s.Export(ctx, t.caller.Tenant, f)
	})
}

// Prune deletes the decisions that the limits in r do not keep. It returns the number of deleted decisions.
func (t *TenantStore) Prune(ctx context.Context, r store.Retention) (int64, error) {
	if err := t.store.mayChange(ctx, t.caller.Tenant); err != nil {
		return 0, err
	}
	return changeStore(ctx, t, func(s store.Store) (int64, error) { return s.Prune(ctx, t.write(), r) })
}

// Holds checks whether the store has the entries of the given heads. It returns the heads whose entries are missing or
// differ.
func (t *TenantStore) Holds(ctx context.Context, heads ...store.Head) ([]store.Head, error) {
	return readStore(ctx, t, func(s store.Store) ([]store.Head, error) {
		return s.Holds(ctx, t.caller.Tenant, heads...)
	})
}

// Heads returns the head of every chain of the audit.
func (t *TenantStore) Heads(ctx context.Context) ([]store.Head, error) {
	return readStore(ctx, t, func(s store.Store) ([]store.Head, error) { return s.Heads(ctx, t.caller.Tenant) })
}

// Dump yields every record of the tenant. Load can add these records to another store.
func (t *TenantStore) Dump(ctx context.Context) iter.Seq2[store.Record, error] {
	return stream(ctx, t.store.conn, func(s store.Store) iter.Seq2[store.Record, error] {
		return s.Dump(ctx, t.caller.Tenant)
	})
}

// Load adds the records of a dump.
func (t *TenantStore) Load(ctx context.Context, dump iter.Seq2[store.Record, error]) (store.Loaded, error) {
	loaded, err := changeStore(ctx, t, func(s store.Store) (store.Loaded, error) {
		return s.Load(ctx, t.caller.Tenant, dump)
	})
	if err == nil {
		t.announceImport(ctx)
	}
	return loaded, err
}

// maskEntry hides secrets in the texts that people and programs wrote. It does not modify the values that the fields of
// e point to. Instead, it makes these fields point to masked copies.
func (s *Store) maskEntry(e *store.Entry) {
	if e.Decision != nil {
		decision := *e.Decision
		decision.Reason, decision.UserResponse = s.mask(decision.Reason), s.mask(decision.UserResponse)
		e.Decision = &decision
	}
	if e.Context != nil {
		task := *e.Context
		task.Paths = slices.Clone(task.Paths)
		for i := range task.Paths {
			task.Paths[i] = s.mask(task.Paths[i])
		}
		task.Metadata, _ = s.maskJSON(task.Metadata).(map[string]any)
		if text, is := e.Context.Metadata[store.CallKey].(string); is {
			task.Metadata[store.CallKey] = s.maskCall(text)
		}
		e.Context = &task
	}
}

// maskCall masks the strings in the text of a recorded call. It does not mask the text as a whole, because a mask may
// hide everything up to the next space, including quotes and brackets of the JSON.
func (s *Store) maskCall(text string) string {
	var call any
	if json.Unmarshal([]byte(text), &call) != nil {
		return s.mask(text)
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(s.maskJSON(call)) != nil {
		return s.mask(text)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// maskJSON returns a copy of a JSON value in which every string is masked.
func (s *Store) maskJSON(value any) any {
	switch v := value.(type) {
	case string:
		return s.mask(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.maskJSON(v[i])
		}
		return out
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = s.maskJSON(v[key])
		}
		return out
	}
	return value
}

// Add appends entries to the audit of a tenant.
func (s *Store) Add(ctx context.Context, tenant string, entries ...store.Entry) error {
	_, err := s.For(Caller{Tenant: tenant}).Append(ctx, entries...)
	return err
}
