package live

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"guardrails/guideline"
	"guardrails/store"
)

// Caller identifies who uses a tenant of the store.
type Caller struct {
	Tenant string
	// ProjectID is the caller's project. Get, History and all changes find only guidelines of this project. An empty
	// ProjectID stands for the guidelines that apply to all projects. List, All and the audit always include everything of
	// the tenant.
	ProjectID string
	// Actor is the person or program that the audit names as the author of changes.
	Actor string
	// Session is the agent's session that a change comes from, if there is one.
	Session string
	// WriteID is the id by which the store recognizes a repeated change. If it is empty, every change gets a new id.
	WriteID string
}

// Ref has the id of a guideline in the caller's project, and the version that the caller saw.
type Ref struct {
	ID      string
	Version int
}

// TenantStore gives one caller access to one tenant of the store. Each change gets a write id and an author, is visible
// in the snapshot immediately, and is announced to listeners. The methods correspond to the methods of store.Store.
type TenantStore struct {
	store  *Store
	caller Caller
}

// For is a method that returns a TenantStore for the caller and its tenant.
func (s *Store) For(caller Caller) *TenantStore { return &TenantStore{s, caller} }

// OfProject returns a TenantStore for the same caller and another project. The empty id stands for the guidelines that
// apply to all projects.
func (t *TenantStore) OfProject(id string) *TenantStore {
	other := *t
	other.caller.ProjectID = id
	return &other
}

// ProjectID returns the project whose guidelines the caller changes.
func (t *TenantStore) ProjectID() string { return t.caller.ProjectID }

func (t *TenantStore) write() store.Write {
	id := cmp.Or(t.caller.WriteID, store.NewID(t.store.now()))
	return store.Write{ID: id, Tenant: t.caller.Tenant, Actor: t.caller.Actor, Session: t.caller.Session}
}

// Get returns the guideline that has the given id or alias.
func (t *TenantStore) Get(ctx context.Context, id string) (guideline.Guideline, error) {
	return byName(ctx, t, id, func(key string) (guideline.Guideline, error) {
		return readStore(ctx, t, func(s store.Store) (guideline.Guideline, error) {
			return s.Get(ctx, t.caller.Tenant, key)
		})
	})
}

// List returns one page of the guidelines that match a filter.
func (t *TenantStore) List(ctx context.Context, q store.ListQuery) (store.Page[guideline.Guideline], error) {
	return readStore(ctx, t, func(s store.Store) (store.Page[guideline.Guideline], error) {
		return s.List(ctx, t.caller.Tenant, q)
	})
}

// All is a method that returns every guideline, including disabled ones. It reads the store, not the snapshot in
// memory.
func (t *TenantStore) All(ctx context.Context) (store.Set, error) {
	return t.store.conn.readAll(ctx, t.caller.Tenant)
}

// Generation returns a number that grows with every change of a guideline. It reads the store, not the snapshot in
// memory.
func (t *TenantStore) Generation(ctx context.Context) (int64, error) {
	return t.store.conn.generation(ctx, t.caller.Tenant)
}

// History returns one page of a guideline's revisions, newest first.
func (t *TenantStore) History(ctx context.Context, id string, p store.Paging) (store.Page[store.Revision], error) {
	return byName(ctx, t, id, func(key string) (store.Page[store.Revision], error) {
		return readStore(ctx, t, func(s store.Store) (store.Page[store.Revision], error) {
			return s.History(ctx, t.caller.Tenant, key, p)
		})
	})
}

// Create adds a guideline.
func (t *TenantStore) Create(ctx context.Context, g guideline.Guideline) (guideline.Guideline, error) {
	g, err := t.owned(g)
	if err != nil {
		return g, err
	}
	return t.change(ctx, func(s store.Store, w store.Write) (guideline.Guideline, error) { return s.Create(ctx, w, g) })
}

// Update replaces the guideline that has the id of g. It fails if g.Version is not the current version.
func (t *TenantStore) Update(ctx context.Context, g guideline.Guideline) (guideline.Guideline, error) {
	g, err := t.owned(g)
	if err != nil {
		return g, err
	}
	return t.change(ctx, func(s store.Store, w store.Write) (guideline.Guideline, error) { return s.Update(ctx, w, g) })
}

// Toggle enables or disables a guideline.
func (t *TenantStore) Toggle(ctx context.Context, ref Ref) (guideline.Guideline, error) {
	return t.changeNamed(ctx, ref, func(s store.Store, w store.Write, ref store.Ref) (guideline.Guideline, error) {
		return s.Toggle(ctx, w, ref)
	})
}

// Restore makes the content of an earlier version the newest version.
func (t *TenantStore) Restore(ctx context.Context, ref Ref, version int) (guideline.Guideline, error) {
	return t.changeNamed(ctx, ref, func(s store.Store, w store.Write, ref store.Ref) (guideline.Guideline, error) {
		return s.Restore(ctx, w, ref, version)
	})
}

// Delete removes a guideline. Its history stays.
func (t *TenantStore) Delete(ctx context.Context, ref Ref) error {
	_, err := t.changeNamed(ctx, ref, func(s store.Store, w store.Write, key store.Ref) (guideline.Guideline, error) {
		return guideline.Guideline{ID: ref.ID, ProjectID: t.caller.ProjectID}, s.Delete(ctx, w, key)
	})
	return err
}

// change() calls f, which changes one guideline, and announces the change.
func (t *TenantStore) change(
	ctx context.Context, f func(store.Store, store.Write) (guideline.Guideline, error),
) (guideline.Guideline, error) {
	if err := t.store.mayChange(ctx, t.caller.Tenant); err != nil {
		return guideline.Guideline{}, err
	}
	g, err := changeStore(ctx, t, func(s store.Store) (guideline.Guideline, error) { return f(s, t.write()) })
	if err == nil {
		t.store.announceChange(ctx, Event{
			Kind: GuidelineChanged, Tenant: t.caller.Tenant, Guideline: g.ID, ProjectID: g.ProjectID,
			Version: g.Version, Actor: t.caller.Actor,
		})
	}
	return g, err
}

// owned() returns g as a guideline of the caller's project, or an error if g names another project. If the caller has
// no project, g may name any project.
func (t *TenantStore) owned(g guideline.Guideline) (guideline.Guideline, error) {
	own := t.caller.ProjectID
	if own != "" && g.ProjectID != "" && g.ProjectID != own {
		return g, store.Errorf(store.Invalid,
			"the guideline %.140q belongs to the project %.200q, not to %q; remove its project_id",
			g.ID, g.ProjectID, own)
	}
	if own != "" {
		g.ProjectID = own
	}
	return g, nil
}

// Import adds or updates many guidelines. If one of them fails, Import changes nothing.
func (t *TenantStore) Import(
	ctx context.Context, items []guideline.Guideline, options store.ImportOptions,
) (store.ImportResult, error) {
	items = slices.Clone(items)
	for i := range items {
		var err error
		if items[i], err = t.owned(items[i]); err != nil {
			return store.ImportResult{}, err
		}
	}
	if err := t.store.mayChange(ctx, t.caller.Tenant); err != nil {
		return store.ImportResult{}, err
	}
	result, err := changeStore(ctx, t, func(s store.Store) (store.ImportResult, error) {
		return s.Import(ctx, t.write(), items, options)
	})
	if err == nil && result.Applied {
		t.announceImport(ctx)
	}
	return result, err
}

func (t *TenantStore) announceImport(ctx context.Context) {
	t.store.announceChange(ctx, Event{Kind: GuidelinesImported, Tenant: t.caller.Tenant, Actor: t.caller.Actor})
}

// Edit reads a guideline, passes it to the function edit(), and stores the guideline that edit() returns. Version 0 in
// ref means the current version. If edit() changes nothing, no new version is created.
func (t *TenantStore) Edit(
	ctx context.Context, ref Ref, edit func(guideline.Guideline) (guideline.Guideline, error),
) (guideline.Guideline, error) {
	base, err := t.editBase(ctx, ref)
	if err != nil {
		return guideline.Guideline{}, err
	}
	g, err := edit(base)
	if err != nil {
		return guideline.Guideline{}, err
	}
	g.Version = cmp.Or(ref.Version, base.Version)
	if same, err := store.SameContent(&base, &g); err != nil || !same || g.Version != base.Version {
		return t.Update(ctx, g)
	}
	// The variable "base" can have an older version (see editBase). In that case, Update finds out whether this call
	// repeats an earlier change or is in conflict with a newer version.
	if current, err := t.Get(ctx, base.ID); err != nil || current.Version != base.Version {
		return t.Update(ctx, g)
	}
	return base, nil
}

// editBase returns the version of a guideline that the caller's edit must change. If the call has no write id, the
// result is the current version. A call with a write id may repeat an earlier call, so editBase then returns the
// version in ref. The result of the edit is therefore the same as the first time, and the store can recognize the
// repetition. The store also checks whether somebody else has changed the guideline after that version.
func (t *TenantStore) editBase(ctx context.Context, ref Ref) (guideline.Guideline, error) {
	g, err := t.Get(ctx, ref.ID)
	sawCurrent := err == nil && g.Version == ref.Version
	failed := err != nil && store.CodeOf(err) != store.NotFound
	if t.caller.WriteID == "" || sawCurrent || failed {
		return g, err
	}
	newest, historyErr := t.History(ctx, ref.ID, store.Paging{Page: 1, Size: 1})
	if historyErr != nil || len(newest.Items) == 0 || newest.Items[0].Guideline.Version <= ref.Version {
		return g, errors.Join(err, historyErr)
	}
	// Each version number is one higher than the version number before it, and the history begins with the newest version.
	back := newest.Items[0].Guideline.Version - ref.Version
	old, historyErr := t.History(ctx, ref.ID, store.Paging{Page: back + 1, Size: 1})
	if historyErr != nil || len(old.Items) == 0 {
		return g, errors.Join(err, historyErr)
	}
	return old.Items[0].Guideline, nil
}
