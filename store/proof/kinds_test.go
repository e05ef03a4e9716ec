package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// change() returns a step that changes one guideline. A later step can repeat the change.
func (w *world) change(
	text string, key string, do func(ctx context.Context, s store.Store) (guideline.Guideline, error),
) step {
	s := step{
		text: text + " " + key,
		do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
			g, err := do(ctx, s)
			return g, "", err
		},
		versions: func(answer any) map[string]int { return map[string]int{key: answer.(guideline.Guideline).Version} },
	}
	w.changes = append(w.changes, s)
	return s
}

func (w *world) create(time.Time, int) step {
	key, by := w.key(), w.write()
	g := w.guideline(key)
	return w.change(fmt.Sprintf("%+v", g), key, func(ctx context.Context, s store.Store) (guideline.Guideline, error) {
		return s.Create(ctx, by, g)
	})
}

func (w *world) update(time.Time, int) step {
	key, by := w.key(), w.write()
	g := w.guideline(key)
	g.Version = w.version(key)
	return w.change(fmt.Sprintf("%+v", g), key, func(ctx context.Context, s store.Store) (guideline.Guideline, error) {
		return s.Update(ctx, by, g)
	})
}

func (w *world) toggle(time.Time, int) step {
	key, by := w.key(), w.write()
	ref := store.Ref{Key: key, Version: w.version(key)}
	return w.change(fmt.Sprintf("%+v", ref), key, func(ctx context.Context, s store.Store) (guideline.Guideline, error) {
		return s.Toggle(ctx, by, ref)
	})
}

func (w *world) remove(time.Time, int) step {
	key, by := w.key(), w.write()
	ref := store.Ref{Key: key, Version: w.version(key)}
	return w.change(fmt.Sprintf("%+v", ref), key, func(ctx context.Context, s store.Store) (guideline.Guideline, error) {
		return guideline.Guideline{Version: ref.Version + 1}, s.Delete(ctx, by, ref)
	})
}

func (w *world) restore(time.Time, int) step {
	key, by := w.key(), w.write()
	ref := store.Ref{Key: key, Version: w.version(key)}
	to := w.IntN(w.newest[key]+2) - 1
	text := fmt.Sprintf("%+v to %d", ref, to)
	return w.change(text, key, func(ctx context.Context, s store.Store) (guideline.Guideline, error) {
		return s.Restore(ctx, by, ref, to)
	})
}

func (w *world) importSome(time.Time, int) step {
	by, items := w.write(), []guideline.Guideline{}
	for range w.IntN(5) {
		items = append(items, w.guideline(w.key()))
	}
	options := store.ImportOptions{
		OnConflict: store.OnConflict(w.pick("", "fail", "skip", "update", "update", "other")), DryRun: w.IntN(4) == 0,
	}
	s := step{
		text: fmt.Sprintf("%+v %+v", options, items),
		do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
			result, err := s.Import(ctx, by, items, options)
			return result, "", err
		},
		versions: func(answer any) map[string]int {
			out, result := map[string]int{}, answer.(store.ImportResult)
			for i := range result.Items {
				if result.Applied {
					out[result.Items[i].Key()] = result.Items[i].Version
				}
			}
			return out
		},
	}
	w.changes = append(w.changes, s)
	return s
}

// repeat() makes an earlier change again, with the same write id.
func (w *world) repeat(now time.Time, n int) step {
	if len(w.changes) == 0 {
		return w.create(now, n)
	}
	s := w.changes[w.IntN(len(w.changes))]
	s.versions = nil
	return s
}

// reuse() makes two different changes with the same write id.
func (w *world) reuse(time.Time, int) step {
	key, by, g := w.key(), w.write(), w.guideline(w.key())
	return step{text: key, do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		first, failed := s.Create(ctx, by, g)
		_, err := s.Toggle(ctx, by, store.Ref{Key: key, Version: 1})
		return []any{first, store.CodeOf(failed)}, "", err
	}}
}

func (w *world) append(now time.Time, _ int) step {
	var entries []store.Entry
	at := now.Add(-time.Duration(w.IntN(3)) * 24 * time.Hour)
	for range w.IntN(6) {
		w.decisions++
		e := store.Entry{
			ID: fmt.Sprint("d", w.decisions), Kind: store.KindDecision, Event: w.pick("decision", "gate", "gap"),
			Time: at.Add(time.Duration(w.decisions) * time.Millisecond), Actor: w.pick("", "backend", "Ops"),
			Session: w.pick("", "s1", "s2"), Guideline: w.pick("", "alpha", "beta"), ProjectID: w.pick("", "shop"),
			Decision: &store.Decision{Result: w.pick("allow", "ask", "deny"), Reason: w.pick("", "bad \xff <text>")},
		}
		if w.IntN(2) == 0 {
			mode := map[string]any{"mode": w.pick("enforce", "observe", "other")}
			e.Context = &guideline.Context{Agent: w.pick("backend", "Backend", "ops", ""), Metadata: map[string]any{"details": mode}}
		}
		if w.IntN(10) == 0 {
			e.ID = fmt.Sprint("d", 1+w.IntN(w.decisions)) // an entry with this id may exist
		}
		if w.IntN(60) == 0 {
			e.ID = w.pick("", "not valid", "d1:x")
		}
		entries = append(entries, e)
	}
	return step{text: fmt.Sprintf("%+v", entries), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		sealed, err := s.Append(ctx, tenant, slices.Clone(entries)...)
		return sealed, "", err
	}}
}

func (w *world) prune(now time.Time, _ int) step {
	by, r := w.write(), store.Retention{}
	switch w.IntN(5) {
	case 0, 1:
		r.Before = now.Add(-time.Duration(w.IntN(72)) * time.Hour)
	case 2:
		r.Keep = w.IntN(30)
	case 3:
		r.Keep, r.Before = w.IntN(30), now.Add(-time.Duration(w.IntN(72))*time.Hour)
	}
	return step{text: fmt.Sprintf("%+v", r), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		count, err := s.Prune(ctx, by, r)
		return count, "", err
	}}
}

func (w *world) get(time.Time, int) step {
	key := w.key()
	return step{text: key, do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		g, err := s.Get(ctx, tenant, key)
		return g, "", err
	}}
}

func (w *world) all(time.Time, int) step {
	return step{do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		set, err := s.All(ctx, tenant)
		return set.Guidelines, "", err
	}}
}

func (w *world) paging() store.Paging {
	return store.Paging{Page: []int{0, 0, 1, 2, 3, -1}[w.IntN(6)], Size: []int{1, 2, 3, 7, 0, 1000, 1001}[w.IntN(7)]}
}

// pages() returns a step that reads a page. A later step can read the next page.
func pages[T any](text string, p store.Paging, read func(context.Context, store.Store, store.Paging) (store.Page[T], error)) step {
	s := step{text: text, list: new(list)}
	s.do = func(ctx context.Context, s store.Store, cursor string) (any, string, error) {
		if p := p; cursor == "" {
			page, err := read(ctx, s, p)
			return []any{page.Items, page.Total, page.Page, page.Size}, page.Next, err
		}
		page, err := read(ctx, s, store.Paging{Size: p.Size, Cursor: cursor})
		return []any{page.Items, page.Total, page.Page, page.Size}, page.Next, err
	}
	return s
}

func (w *world) listSome(time.Time, int) step {
	q := store.ListQuery{Sort: store.Sort(w.pick("", "priority", "name", "category", "updated", "other"))}
	q.Order = store.Order(w.pick("", "asc", "desc", "desc"))
	enabled, shop := w.IntN(2) == 0, w.pick("", "shop")
	low, high := w.IntN(5)*250-1, w.IntN(5)*250
	switch w.IntN(13) {
	case 0:
		q.Enabled = &enabled
	case 1:
		q.Agent = w.pick("backend", "Backend", "unknown")
	case 2:
		q.Search = w.pick("APP", "ärger", "7%", "m_t", "plum apple", "<B>", "what it")
	case 3:
		q.ProjectID = &shop
	case 4:
		q.Tag, q.Enabled = w.pick("red", "x"), &enabled
	case 5:
		q.Category, q.Domain = guideline.Categories()[w.IntN(7)], w.pick("", "P1")
	case 6:
		q.Action = w.pick("implement", "Implement", "review", "unknown")
	case 7:
		q.Event, q.Action = w.pick("pre_commit", "file_edit", "unknown"), w.pick("", "review")
	case 8:
		q.PriorityFrom, q.Enabled = &low, &enabled
	case 9:
		q.PriorityBelow = &high
	case 10:
		q.PriorityFrom, q.PriorityBelow = &low, &high
	}
	text := fmt.Sprintf("%+v from %d below %d", q, low, high)
	out := pages(text, w.paging(), func(ctx context.Context, s store.Store, p store.Paging) (store.Page[guideline.Guideline], error) {
		q.Paging = p
		return s.List(ctx, tenant, q)
	})
	out.ofGuidelines = true
	return out
}

func (w *world) history(time.Time, int) step {
	key := w.key()
	return pages(key, w.paging(), func(ctx context.Context, s store.Store, p store.Paging) (store.Page[store.Revision], error) {
		return s.History(ctx, tenant, key, p)
	})
}

func (w *world) auditFilter(now time.Time) (f store.AuditFilter) {
	for range w.IntN(3) {
		switch w.IntN(11) {
		case 0:
			f.Kind = store.Kind(w.pick("change", "decision"))
		case 1:
			f.Event = w.pick("decision", "gate", store.Created, store.Pruned)
		case 2:
			f.Result = w.pick("allow", "deny", "none")
		case 3:
			f.Guideline = w.pick("alpha", "beta", "x-1")
		case 4:
			f.Actor = w.pick("ann", "backend", "cäsar")
		case 5:
			f.Session = w.pick("s1", "s2")
		case 6:
			f.Project = "shop"
		case 7:
			f.From = now.Add(-time.Duration(w.IntN(90)) * time.Hour)
			f.To = now.Add(-time.Duration(w.IntN(20)) * time.Hour)
		case 8:
			f.Agent = w.pick("backend", "Backend", "none")
		case 9:
			f.Mode = w.pick("enforce", "observe", "none")
		case 10:
			f.ID = fmt.Sprint("d", 1+w.IntN(w.decisions+1))
		}
	}
	return f
}

func (w *world) audit(now time.Time, _ int) step {
	f := w.auditFilter(now)
	return pages(fmt.Sprintf("%+v", f), w.paging(), func(ctx context.Context, s store.Store, p store.Paging) (store.Page[store.Entry], error) {
		return s.Query(ctx, tenant, store.AuditQuery{AuditFilter: f, Paging: p})
	})
}

// readOn reads the next page of a list that an earlier step began. Other steps may have changed the store since then.
func (w *world) readOn(now time.Time, n int) step {
	if len(w.lists) == 0 {
		return w.audit(now, n)
	}
	i := w.IntN(len(w.lists))
	begun := w.lists[i]
	w.lists = slices.Delete(w.lists, i, i+1)
	s := begun.step
	s.list = begun
	return s
}

func (w *world) export(now time.Time, _ int) step {
	f := w.auditFilter(now)
	return step{text: fmt.Sprintf("%+v", f), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		var out []store.Entry
		for e, err := range s.Export(ctx, tenant, f) {
			if err != nil {
				return out, "", err
			}
			out = append(out, e)
		}
		return out, "", nil
	}}
}

func (w *world) heads(time.Time, int) step {
	return step{do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		heads, err := s.Heads(ctx, tenant)
		if err != nil {
			return nil, "", err
		}
		missing, err := s.Holds(ctx, tenant, heads...)
		slices.SortFunc(heads, func(a, b store.Head) int { return strings.Compare(string(a.Kind), string(b.Kind)) })
		return []any{heads, missing}, "", err
	}}
}

// verify() verifies the whole audit. Then it verifies the audit again, as if an earlier verification had read a part of
// the decisions.
func (w *world) verify(time.Time, int) step {
	at := 1 + w.Int64N(20)
	again := store.Span{First: w.Int64N(10), Last: w.Int64N(15)}
	return step{text: fmt.Sprint(at, again), do: func(ctx context.Context, s store.Store, _ string) (any, string, error) {
		all, err := s.Verify(ctx, tenant, nil)
		if err != nil {
			return nil, "", err
		}
		var known store.Known
		for e, err := range s.Export(ctx, tenant, store.AuditFilter{Kind: store.KindDecision}) {
			if err != nil {
				return nil, "", err
			}
			if e.Seq == at {
				known = store.Known{{Chain: e.Chain(), Seq: at, Hash: e.Hash, Again: again}}
			}
		}
		some, err := s.Verify(ctx, tenant, known)
		return []any{all, some}, "", err
	}}
}
