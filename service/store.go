package service

import (
	"context"
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

// storePart holds the guidelines that were read from a store for a project.
type storePart struct {
	sources []rules.Source
	// The field "from" is the store, or nil if there is none.
	from *live.Store
	// projectID is the project whose guidelines were read. The guidelines that apply to all projects were read too. hasOwn
	// is set if the project has guidelines of its own.
	projectID string
	hasOwn    bool
	// The field "hidden" lists the guidelines in the store that do not apply, because another guideline in the store
	// has the same id.
	hidden []rules.Source
	// The field "view" has all guidelines of the tenant. The field sources has the guidelines in view that apply in the
	// project.
	view []*guideline.Guideline
	// The field "generation" identifies the state of the store at the time when the guidelines were read.
	generation int64
	// The field "size" is the number of bytes that view takes in memory. The field "shared" identifies what the field
	// "view" shares with other views.
	size   int64
	shared any
	// The field "mark" is the state of the store, as RaiseWatermark records it.
	mark fallback.Mark
}

// storeDownError means that a project's store cannot be used.
type storeDownError struct{ error }

func (e *storeDownError) Unwrap() error { return e.error }

// readStore returns the guidelines that the project's store has for its tenant. If there is no store, the result is
// empty.
func (s *Service) readStore(ctx context.Context, root string, r *Request, c *config.Config) (*storePart, error) {
	part, err := s.storePart(ctx, root, r, c)
	if err != nil {
		return nil, &storeDownError{err}
	}
	return part, nil
}

func (s *Service) storePart(ctx context.Context, root string, r *Request, c *config.Config) (*storePart, error) {
	if s.stores == nil {
		return &storePart{}, nil
	}
	from, err := s.stores.get(ctx, c)
	if errors.Is(err, live.ErrNoStore) {
		return &storePart{}, s.checkNotLost(root, r)
	}
	if err != nil {
		return nil, err
	}
	note := s.downNote(r, c)
	if err := note.Read(); err != nil {
		return nil, err
	}
	part, err := s.partOf(ctx, from, c)
	return part, note.Result(err)
}

func (s *Service) partOf(ctx context.Context, from *live.Store, c *config.Config) (*storePart, error) {
	v, err := s.checkedView(ctx, from, c)
	if err != nil {
		return nil, err
	}
	part := &storePart{
		from: from, view: v.Guidelines, size: v.Size, shared: v.Shared,
		generation: v.Generation, mark: markOf(&v), projectID: c.Project,
	}
	part.sources, part.hidden, part.hasOwn = inProject(v.Guidelines, c, from.Location())
	part.sources = rules.FollowPacks(part.sources)
	return part, nil
}

// checkedView returns the current content of a store. If the store lacks something that was seen in it before,
// checkedView returns an error.
func (s *Service) checkedView(ctx context.Context, from *live.Store, c *config.Config) (live.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	seen := s.keeper().Watermark(storeID(from, c)) // read this before the store, so the store has at least these changes
	v, err := s.view(ctx, from, c.Tenant)
	if err == nil {
		err = storefault.CheckNotOlder(ctx, from.For(live.Caller{Tenant: c.Tenant}), from.Location(), seen, markOf(&v))
	}
	return v, err
}

// view() returns the current content of a store. If the service has a memory, view() uses the copy in memory that the
// store keeps up to date. Otherwise it reads the store.
func (s *Service) view(ctx context.Context, from *live.Store, tenant string) (live.Snapshot, error) {
	if s.memory == nil {
		set, err := from.For(live.Caller{Tenant: tenant}).All(ctx)
		return live.Snapshot{Guidelines: store.Pointers(set.Guidelines), Moment: set.Moment}, err
	}
	v, err := from.Snapshot(ctx, tenant)
	if err == nil {
		err = v.Err
	}
	return v, err
}

func values[T any](list []*T) []T {
	out := make([]T, len(list))
	for i := range list {
		out[i] = *list[i]
	}
	return out
}

// Store returns the store of a project and the project's tenant in it. If the parameter "project" is empty, Store uses
// the service's own project. It returns live.ErrNoStore if there is no store.
func (s *Service) Store(ctx context.Context, project string) (*live.Store, string, error) {
	from, c, err := s.storeOf(ctx, project)
	return from, c.Tenant, err
}

// Owner returns the store of the service's own project. The Caller has the project's tenant and id.
func (s *Service) Owner(ctx context.Context) (*live.Store, live.Caller, error) {
	from, c, err := s.storeOf(ctx, "")
	return from, live.Caller{Tenant: c.Tenant, ProjectID: c.Project}, err
}

func (s *Service) storeOf(ctx context.Context, project string) (*live.Store, *config.Config, error) {
	root, err := s.root(&Request{Project: project})
	if err != nil {
		return nil, &config.Config{}, err
	}
	c, problems := s.readLocation(ctx, root)
	if err := problems.Err(); err != nil {
		return nil, &config.Config{}, err
	}
	from, err := s.stores.get(ctx, c)
	return from, c, err
}

// Reopen reopens all open stores of this service, and of services that share the stores, with new secrets.
func (s *Service) Reopen(ctx context.Context) error { return s.stores.reopen(ctx) }

// Close closes all open stores and connections of this service, and of services that share the stores.
func (s *Service) Close() error {
	s.models.Close()
	return s.stores.close()
}

// checkNotLost returns an error if the project had guidelines from the default database and the database no longer
// exists. Without this check, deleting the database file would remove guidelines without a notice.
func (s *Service) checkNotLost(root string, r *Request) error {
	database := s.keeper().LastDatabase(root, s.snapshotOf(root, r))
	if r.bound && database == "" {
		database = s.keeper().LastDatabase(root, otherSnapshot(r))
	}
	if database == "" {
		return nil
	}
	return store.Missing("the database %s with guidelines of this project does not exist; restore it, or create a new "+
		"one with guardrails init", database)
}

// downNote returns the note about the store or server that the settings name. Only a service that answers a single
// request of a hook uses notes.
func (s *Service) downNote(r *Request, c *config.Config) *fallback.DownNote {
	switch {
	case s.memory != nil || !r.Hook:
		return nil
	case c.Server != nil:
		return fallback.NoteAbout(s.env, "server "+c.Server.URL)
	}
	return fallback.NoteAbout(s.env, c.StoreKey())
}

func markOf(v *live.Snapshot) fallback.Mark {
	return fallback.NewMark(live.ChangeCount(v.Generation), v.Heads)
}

func storeID(from *live.Store, c *config.Config) fallback.StoreID {
	return fallback.StoreID{Place: from.Location(), Settings: c.StoreKey(), Tenant: c.Tenant}
}

// seenNewer reports whether another process has seen more changes in the store than the rulebook has.
func (s *Service) seenNewer(b *rulebook) bool {
	return b.store.from != nil &&
		s.keeper().Watermark(storeID(b.store.from, &b.settings)).Changes > b.store.mark.Changes
}

// seenChanges returns the largest number of changes that any process of this computer has seen in a store.
func (s *Service) seenChanges(ctx context.Context, c *config.Config) int64 {
	if s.stores == nil {
		return 0
	}
	return s.keeper().Watermark(s.lastStoreID(ctx, c)).Changes
}

// lastStoreID returns the id of a project's store, even if the store does not exist at the moment.
func (s *Service) lastStoreID(ctx context.Context, c *config.Config) fallback.StoreID {
	if from, err := s.stores.get(ctx, c); err == nil {
		return storeID(from, c)
	}
	return fallback.StoreID{Place: "sqlite:" + product.DatabasePath(s.env), Tenant: c.Tenant} // the default database may have been lost
}

// lastStored returns the guidelines that a process of this computer last read from the store of a rulebook. It returns
// only the guidelines that the rulebook's project sees. It returns nil if the store had at most the given number of
// changes at that time. It also returns nil if the settings cannot be read, or if the guidelines come from a server.
func (s *Service) lastStored(ctx context.Context, b *rulebook, changes int64) *fallback.Selected {
	c := &b.settings
	if s.stores == nil || b.misread || c.Server != nil {
		return nil
	}
	shared, err := s.keeper().ReadShared(s.lastStoreID(ctx, c), changes)
	if err != nil {
		b.notices = append(b.notices, "guardrails: the guidelines that other projects have read from the store cannot "+
			"be used: "+err.Error())
	}
	if shared == nil {
		return nil
	}
	seen, _, _ := inProject(shared.Guidelines, c, fallback.SourceSnapshot)
	return &fallback.Selected{
		Time: shared.Time, Changes: shared.Changes, Layer: b.sharedLayer(), Guidelines: rules.FollowPacks(seen),
	}
}

func (s *Service) raiseWatermark(b *rulebook) error {
	if b.store.from == nil {
		return nil
	}
	return s.keeper().RaiseWatermark(storeID(b.store.from, &b.settings), b.store.mark)
}

// CheckStore returns an error if the project's store no longer exists, has fewer changes than hooks have seen, or lacks
// entries of the audit that are recorded outside of the store. It does not check whether the store can be reached.
func (s *Service) CheckStore(ctx context.Context) error {
	from, c, err := s.storeOf(ctx, "")
	if errors.Is(err, live.ErrNoStore) {
		r := Request{}
		root, err := s.root(&r)
		return errors.Join(err, s.checkNotLost(root, &r))
	}
	if err != nil {
		return nil
	}
	return s.lacking(ctx, from, c)
}

// lacking() returns an error if a store that was seen before no longer exists, or if the store lacks changes or audit
// entries that were seen in it. It returns nil if the store does not respond.
func (s *Service) lacking(ctx context.Context, from *live.Store, c *config.Config) error {
	of := from.For(live.Caller{Tenant: c.Tenant})
	err := storefault.CheckNotOlder(ctx, of, from.Location(), s.keeper().Watermark(storeID(from, c)), fallback.Mark{})
	if storefault.IsLoss(err) || s.isLost(from, err) {
		return err
	}
	return storefault.CheckNoted(ctx, of)
}

// isLost reports whether err says that a store does not exist, although guidelines were read from it before.
func (s *Service) isLost(from *live.Store, err error) bool {
	return errors.Is(err, store.ErrMissing) && s.keeper().WasSeen(from.Location())
}

// AcceptStore accepts the current state of the project's store, even if this computer has seen more changes before. If
// the store was lost, creating a new one is then allowed. The description says what is lost. The description is empty
// if nothing is lost.
func (s *Service) AcceptStore(ctx context.Context) (description string, err error) {
	from, c, err := s.storeOf(ctx, "")
	if errors.Is(err, live.ErrNoStore) {
		return s.acceptLoss(fallback.StoreID{Place: "sqlite:" + product.DatabasePath(s.env), Tenant: c.Tenant})
	}
	if err != nil {
		return "", err
	}
	lacking := s.lacking(ctx, from, c)
	if older, ok := errors.AsType[*fallback.OlderStoreError](lacking); ok {
		return older.What() + "; it is accepted as it is", s.acceptAsItIs(storeID(from, c))
	}
	if lost, ok := errors.AsType[*live.LostEntriesError](lacking); ok {
		return lost.What() + "; it is accepted as it is", s.acceptAsItIs(storeID(from, c))
	}
	if lacking != nil {
		return s.acceptLoss(storeID(from, c))
	}
	return "", nil
}

// acceptLoss allows creating a store in place of a lost store.
func (s *Service) acceptLoss(id fallback.StoreID) (description string, err error) {
	if !s.keeper().WasSeen(id.Place) {
		return "", nil
	}
	return fmt.Sprintf("the store %s does not exist any more, and hooks have seen %s to guidelines in it; "+
		"a new store takes its place",
		id.Place, s.keeper().Watermark(id).Count()), s.acceptAsItIs(id)
}

// acceptAsItIs removes the mark (watermark) of a store, which says what the store must contain. The verification of the
// store's audit then ignores the newest entries (heads) that were noted before.
func (s *Service) acceptAsItIs(id fallback.StoreID) error {
	book := notedheads.Open(func() (string, error) { return private.StateDir(s.env) }, id.Place, s.now)
	_, err := book.Add(notedheads.Note{Tenant: id.Tenant, AcceptedBy: "guardrails init"})
	return errors.Join(err, s.keeper().ClearWatermark(id))
}
