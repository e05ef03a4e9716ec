package store

import (
	"cmp"
	"fmt"
	"slices"

	"guardrails/guideline"
)

// Digest is a digest of all that a revision is. The audit entry of the change has it too, so that guidelines cannot be
// altered behind the audit's back.
func (r *Revision) Digest() (string, error) {
	text, err := guideline.Encode(&r.Guideline)
	if err != nil {
		return "", Errorf(Invalid, "the guideline %.140q cannot be written as JSON: %w", r.Guideline.ID, err)
	}
	return hash(fmt.Appendf(text, "\n%q %t %q %d %q", r.Event, r.Deleted, r.Actor, r.At.UnixMilli(), r.WriteID)), nil
}

// Comparison compares the guidelines of a tenant with the changes in its audit.
type Comparison struct {
	tenant string
	// changes are the entries that have no revision yet.
	changes map[version]change
	// newest are the newest revisions, listed what readers see.
	newest, listed map[string]version
	faults         []Verdict
}

type version struct {
	id      string
	number  int
	deleted bool
}

type change struct {
	Chain
	seq        int64
	id, digest string
}

func newComparison(tenant string) *Comparison {
	return &Comparison{tenant: tenant, changes: map[version]change{}, newest: map[string]version{}, listed: map[string]version{}}
}

// note takes an entry.
func (c *Comparison) note(chain Chain, e *Entry) {
	if e.Kind == KindChange && e.Digest != "" {
		c.changes[version{id: e.Guideline, number: e.Version}] = change{chain, e.Seq, e.ID, e.Digest}
	}
}

// Revision takes a revision, after all entries.
func (c *Comparison) Revision(r *Revision) {
	g := &r.Guideline
	at := version{id: g.ID, number: g.Version}
	e, explained := c.changes[at]
	delete(c.changes, at)
	if g.Version > c.newest[g.ID].number {
		c.newest[g.ID] = version{g.ID, g.Version, r.Deleted}
	}
	switch digest, err := r.Digest(); {
	case !explained:
		c.fault(e, Altered, "no change says where version %d of the guideline %s comes from", g.Version, g.ID)
	case err != nil || digest != e.digest:
		c.fault(e, Altered, "version %d of the guideline %s is not what was written", g.Version, g.ID)
	}
}

// Unreadable takes a revision that cannot be read, after all entries; why says how that shows.
func (c *Comparison) Unreadable(id string, number int, why string) {
	at := version{id: id, number: number}
	e := c.changes[at]
	delete(c.changes, at)
	c.fault(e, Altered, "version %d of the guideline %s cannot be used: %s", number, id, why)
}

// Listed takes the version of a guideline that readers see.
func (c *Comparison) Listed(id string, number int) { c.listed[id] = version{id: id, number: number} }

// verdicts end the comparison: one for each guideline that is not what the audit says.
func (c *Comparison) verdicts() []Verdict {
	for at, e := range c.changes {
		c.fault(e, Removed, "version %d of the guideline %s is missing", at.number, at.id)
	}
	for id, newest := range c.newest {
		seen, isSeen := c.listed[id]
		switch {
		case newest.deleted && isSeen:
			c.fault(change{}, Altered, "the guideline %s was deleted, and readers see version %d", id, seen.number)
		case !newest.deleted && seen.number != newest.number:
			c.fault(change{}, Altered, "readers of the guideline %s see version %d and not %d (0 is none)", id, seen.number, newest.number)
		}
		delete(c.listed, id)
	}
	for id, seen := range c.listed {
		c.fault(change{}, Altered, "readers see version %d of the guideline %s, which never was", seen.number, id)
	}
	slices.SortFunc(c.faults, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Fault.Seq, b.Fault.Seq), cmp.Compare(a.Fault.Why, b.Fault.Why))
	})
	return c.faults
}

// fault notes what is wrong with a guideline, and which entry says so, if there is one.
func (c *Comparison) fault(e change, damage Damage, why string, args ...any) {
	chain := e.Chain
	if e.id == "" {
		chain = Chain{Tenant: c.tenant, Kind: KindChange}
	}
	c.faults = append(c.faults, Verdict{Head: Head{Chain: chain}, Fault: &Fault{e.seq, e.id, damage, fmt.Sprintf(why, args...)}})
}
