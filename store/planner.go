package store

import (
	"time"

	"guardrails/guideline"
)

// Planner computes the change that a write makes to a guideline. The rules of optimistic locking are implemented only
// in this type. A driver finds the current revision, calls the planner, and stores the change in one transaction.
type Planner struct {
	Write Write
	Now   time.Time
}

// Change is a new revision and its audit entry. The entry is not sealed yet.
type Change struct {
	Revision Revision
	Entry    Entry
}

// Create plans the creation of a guideline. The parameter "current" is the newest revision with the same key, or nil.
func (p Planner) Create(current *Revision, g guideline.Guideline) (Change, error) {
	g, err := p.checked(g)
	if err != nil {
		return Change{}, err
	}
	if current.live() {
		return Change{}, existing(KeyOf(&g), current.version())
	}
	return p.change(Created, current, p.created(g))
}

func existing(id string, version int) *Error {
	e := Errorf(Conflict, "the guideline %s already exists with version %d; update it or choose another id", id, version)
	e.Version = version
	return e
}

// Update plans new content for a guideline.
func (p Planner) Update(current *Revision, g guideline.Guideline) (Change, error) {
	ref := Ref{KeyOf(&g), g.Version}
	g, err := p.checked(g)
	if err != nil {
		return Change{}, err
	}
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	if g.Enabled != current.Guideline.Enabled && g.Locked {
		return Change{}, locked(KeyOf(&g))
	}
	return p.change(Updated, current, updated(g, &current.Guideline))
}

func locked(id string) *Error {
	return Errorf(Conflict, "the guideline %s is locked, so it cannot be switched on or off or deleted; first "+
		"apply it with locked: false", id)
}

// Toggle plans enabling or disabling a guideline.
func (p Planner) Toggle(current *Revision, ref Ref) (Change, error) {
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	g := current.Guideline
	if g.Locked {
		return Change{}, locked(KeyOf(&g))
	}
	g.Enabled = !g.Enabled
	event := Disabled
	if g.Enabled {
		event = Enabled
	}
	return p.change(event, current, g)
}

// Delete plans the deletion of a guideline.
func (p Planner) Delete(current *Revision, ref Ref) (Change, error) {
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	if current.Guideline.Locked {
		return Change{}, locked(ref.Key)
	}
	return p.change(Deleted, current, current.Guideline)
}

// Restore plans a change that makes the content of an old revision the newest content. If the old revision does not
// exist, the parameter "old" is nil.
func (p Planner) Restore(current *Revision, ref Ref, version int, old *Revision) (Change, error) {
	if current == nil {
		return Change{}, NoGuideline(ref.Key)
	}
	if err := ref.lockNewest(current); err != nil {
		return Change{}, err
	}
	if !old.live() {
		return Change{}, Errorf(NotFound, "the guideline %s has no version %d that can be restored; see its history",
			ref.Key, version)
	}
	return p.change(Restored, current, old.Guideline)
}

// lock() returns an error unless the guideline exists and has the version that the caller has read.
func (r Ref) lock(current *Revision) error {
	if !current.live() {
		return NoGuideline(r.Key)
	}
	return r.lockNewest(current)
}

func (r Ref) lockNewest(current *Revision) error {
	if r.Version < 1 {
		return Errorf(Invalid, "the version of the guideline %s is missing; pass the version that you read", r.Key)
	}
	if r.Version != current.version() {
		return conflict(r.Key, current.version())
	}
	return nil
}

// change() returns the next revision of a guideline, and an audit entry for it.
func (p Planner) change(event string, current *Revision, g guideline.Guideline) (Change, error) {
	now := millisecond(p.Now)
	g.Version, g.UpdatedAt, g.TenantID = current.version()+1, now, p.Write.Tenant
	next := Revision{
		Guideline: g, Event: event, Deleted: event == Deleted, Actor: p.Write.Actor, At: now, WriteID: p.Write.ID,
	}
	changes, err := Differences(current, &next)
	if err != nil {
		return Change{}, err
	}
	digest, err := next.Digest()
	if err != nil {
		return Change{}, err
	}
	return Change{next, Entry{
		ID: entryID(p.Write.ID, &g), Tenant: p.Write.Tenant, Time: now, Kind: KindChange, Event: event,
		Actor: p.Write.Actor, Session: p.Write.Session,
		Guideline: g.ID, ProjectID: g.ProjectID, GuidelineName: g.Name, Version: g.Version, Changes: changes, Digest: digest,
	}}, nil
}

// entryID returns the id of the audit entry for a change. The id includes the project, because one write may change
// guidelines of several projects.
func entryID(writeID string, g *guideline.Guideline) string {
	if g.ProjectID == "" {
		return writeID + ":" + g.ID
	}
	return writeID + ":" + hash([]byte(KeyOf(g)))[:32]
}

// created() sets the creation time and creator of a new guideline.
func (p Planner) created(g guideline.Guideline) guideline.Guideline {
	g.CreatedAt, g.CreatedBy = millisecond(p.Now), p.Write.Actor
	return g
}

// updated() returns g with the creation time and creator of the old guideline.
func updated(g guideline.Guideline, old *guideline.Guideline) guideline.Guideline {
	g.CreatedAt, g.CreatedBy = old.CreatedAt, old.CreatedBy
	return g
}

// checked() encodes and parses a guideline to validate it. It returns the parsed guideline.
func (p Planner) checked(g guideline.Guideline) (guideline.Guideline, error) {
	if g.TenantID != "" && g.TenantID != p.Write.Tenant {
		return g, Errorf(Invalid, "the guideline %.140q belongs to the tenant %.140q, not to %q; remove its tenant_id",
			g.ID, g.TenantID, p.Write.Tenant)
	}
	g.Version, g.CreatedAt, g.UpdatedAt, g.CreatedBy, g.TenantID = 0, time.Time{}, time.Time{}, "", ""
	text, err := guideline.Encode(&g)
	if err != nil {
		return g, Errorf(Invalid, "cannot write the guideline %.140q as JSON: %w", g.ID, err)
	}
	read, err := guideline.Parse("", text)
	if err != nil {
		return g, Errorf(Invalid, "the guideline %.140q is invalid: %w", g.ID, err)
	}
	return read, nil
}

func millisecond(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
