package store

import (
	"time"

	"guardrails/guideline"
)

// Planner works out what a write makes of a guideline. It is the one place that knows the rules of locking; a driver
// finds the current revision, asks the planner, and stores what it says in one unit.
type Planner struct {
	Write Write
	Now   time.Time
}

// Change is a new revision and the audit entry that belongs to it, which is not sealed yet.
type Change struct {
	Revision Revision
	Entry    Entry
}

// Create plans a new guideline; current is the newest revision of its id, or nil.
func (p Planner) Create(current *Revision, g guideline.Guideline) (Change, error) {
	g, err := p.checked(g)
	if err != nil {
		return Change{}, err
	}
	if current.live() {
		return Change{}, existing(g.ID, current.version())
	}
	return p.change(Created, current, p.fresh(g))
}

func existing(id string, version int) *Error {
	e := Errorf(Conflict, "the guideline %s exists already with version %d; update it or choose another id", id, version)
	e.Version = version
	return e
}

// Update plans new content for a guideline.
func (p Planner) Update(current *Revision, g guideline.Guideline) (Change, error) {
	ref := Ref{g.ID, g.Version}
	g, err := p.checked(g)
	if err != nil {
		return Change{}, err
	}
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	return p.change(Updated, current, succeeding(g, &current.Guideline))
}

// Toggle plans switching a guideline on or off.
func (p Planner) Toggle(current *Revision, ref Ref) (Change, error) {
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	g := current.Guideline
	g.Enabled = !g.Enabled
	event := Disabled
	if g.Enabled {
		event = Enabled
	}
	return p.change(event, current, g)
}

// Delete plans the end of a guideline.
func (p Planner) Delete(current *Revision, ref Ref) (Change, error) {
	if err := ref.lock(current); err != nil {
		return Change{}, err
	}
	return p.change(Deleted, current, current.Guideline)
}

// Restore plans the return of an old revision, which is nil when there is none of that version.
func (p Planner) Restore(current *Revision, ref Ref, version int, old *Revision) (Change, error) {
	if current == nil {
		return Change{}, notFound(ref.ID)
	}
	if err := ref.lockNewest(current); err != nil {
		return Change{}, err
	}
	if !old.live() {
		return Change{}, Errorf(NotFound, "the guideline %s has no version %d that can be restored; see its history", ref.ID, version)
	}
	return p.change(Restored, current, old.Guideline)
}

// lock checks that the guideline exists and that nobody changed it since the caller saw it.
func (r Ref) lock(current *Revision) error {
	if !current.live() {
		return notFound(r.ID)
	}
	return r.lockNewest(current)
}

func (r Ref) lockNewest(current *Revision) error {
	if r.Version < 1 {
		return Errorf(Invalid, "the version of the guideline %s is missing; give the version that you saw", r.ID)
	}
	if r.Version != current.version() {
		return conflict(r.ID, current.version())
	}
	return nil
}

// change makes the next revision of a guideline and describes the step in an audit entry.
func (p Planner) change(event string, current *Revision, g guideline.Guideline) (Change, error) {
	now := millisecond(p.Now)
	g.Version, g.UpdatedAt, g.TenantID = current.version()+1, now, p.Write.Tenant
	next := Revision{Guideline: g, Event: event, Deleted: event == Deleted, Actor: p.Write.Actor, At: now, WriteID: p.Write.ID}
	changes, err := differences(current, &next)
	if err != nil {
		return Change{}, err
	}
	digest, err := next.Digest()
	if err != nil {
		return Change{}, err
	}
	return Change{next, Entry{
		ID: p.Write.ID + ":" + g.ID, Tenant: p.Write.Tenant, Time: now, Kind: KindChange, Event: event,
		Actor: p.Write.Actor, Session: p.Write.Session,
		Guideline: g.ID, GuidelineName: g.Name, Version: g.Version, Changes: changes, Digest: digest,
	}}, nil
}

// fresh is a guideline as it is created now.
func (p Planner) fresh(g guideline.Guideline) guideline.Guideline {
	g.CreatedAt, g.CreatedBy = millisecond(p.Now), p.Write.Actor
	return g
}

// succeeding is new content for an old guideline, which keeps where it came from.
func succeeding(g guideline.Guideline, old *guideline.Guideline) guideline.Guideline {
	g.CreatedAt, g.CreatedBy = old.CreatedAt, old.CreatedBy
	return g
}

// checked is the guideline as it reads back from its canonical form, which is how strictly it is validated.
func (p Planner) checked(g guideline.Guideline) (guideline.Guideline, error) {
	if g.TenantID != "" && g.TenantID != p.Write.Tenant {
		return g, Errorf(Invalid, "the guideline %.140q belongs to the tenant %.140q, not to %q; remove its tenant_id", g.ID, g.TenantID, p.Write.Tenant)
	}
	g.Version, g.CreatedAt, g.UpdatedAt, g.CreatedBy, g.TenantID = 0, time.Time{}, time.Time{}, "", ""
	text, err := guideline.Encode(&g)
	if err != nil {
		return g, Errorf(Invalid, "the guideline %.140q cannot be written as JSON: %w", g.ID, err)
	}
	read, err := guideline.Parse("", text)
	if err != nil {
		return g, Errorf(Invalid, "the guideline %.140q is not valid: %w", g.ID, err)
	}
	return read, nil
}

func millisecond(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
