package store

import (
	"cmp"
	"fmt"
	"slices"
)

// Comparison compares the guidelines of a tenant with the changes in its audit.
type Comparison struct {
	tenant string
	// The field "changes" has the audit entries for which no revision has been read yet.
	changes map[version]change
	// The map "newest" has the newest revision of each guideline. The map "listed" says for each guideline which version
	// readers get.
	newest, listed map[string]version
	// The map "writes" has the writes that created revisions. Its keys are the ids of the writes.
	writes map[string]write
	// The map "deletions" has the revisions that are deletions.
	deletions map[version]bool
	faults    []Verdict
}

type version struct {
	key     string
	number  int
	deleted bool
}

type change struct {
	Chain
	seq        int64
	id, digest string
}

// The type "write" is a write that created revisions, with one of the audit entries of this write.
type write struct {
	change
	made []made
}

// The type "made" is a revision that a write created.
type made struct {
	key      string
	number   int
	imported bool
}

func newComparison(tenant string) *Comparison {
	return &Comparison{
		tenant: tenant, changes: map[version]change{}, newest: map[string]version{}, listed: map[string]version{},
		writes: map[string]write{}, deletions: map[version]bool{},
	}
}

// addEntry adds an audit entry, if it records a change.
func (c *Comparison) addEntry(chain Chain, e *Entry) {
	if e.Kind == KindChange && e.Digest != "" {
		c.changes[version{key: e.Key(), number: e.Version}] = change{chain, e.Seq, e.ID, e.Digest}
	}
}

// Revision is a method that compares a revision with its audit entry. Add all audit entries before you call Revision.
func (c *Comparison) Revision(r *Revision) {
	g := &r.Guideline
	key := KeyOf(g)
	at := version{key: key, number: g.Version}
	e, found := c.changes[at]
	delete(c.changes, at)
	if g.Version > c.newest[key].number {
		c.newest[key] = version{key, g.Version, r.Deleted}
	}
	if r.Deleted {
		c.deletions[at] = true
	}
	if found {
		c.writes[r.WriteID] = write{e, append(c.writes[r.WriteID].made, made{key, g.Version, r.Event == Imported})}
	}
	switch digest, err := r.Digest(); {
	case !found:
		c.fault(e, Altered, "no audit entry explains version %d of the guideline %s", g.Version, key)
	case err != nil || digest != e.digest:
		c.fault(e, Altered, "version %d of the guideline %s was altered", g.Version, key)
	}
}

// Unreadable is a method that adds a revision that cannot be read, and the reason.
func (c *Comparison) Unreadable(key string, number int, why string) {
	at := version{key: key, number: number}
	e := c.changes[at]
	delete(c.changes, at)
	c.fault(e, Altered, "version %d of the guideline %s cannot be read: %s", number, key, why)
}

// Writes is a method that returns the ids of the writes that a writer made, or of all writes if the name of the writer
// is empty. Add all revisions before you call Writes.
func (c *Comparison) Writes(writer string) (ids []string) {
	for id, e := range c.writes {
		if writer == "" || e.Writer == writer {
			ids = append(ids, id)
		}
	}
	return ids
}

// IsBy reports whether the given writer made the write with the given id.
func (c *Comparison) IsBy(writeID, writer string) bool {
	e, known := c.writes[writeID]
	return known && e.Writer == writer
}

// Forgotten is a method that adds a write whose result is missing.
func (c *Comparison) Forgotten(writeID string) {
	c.fault(c.writes[writeID].change, Removed,
		"the result of the write %s is missing, so repeating the write would make the change again", writeID)
}

// Counted is a method that adds a verdict if the generation of the tenant is lower than the number of writes by the
// store's own writer. Each of these writes increased the generation by one.
func (c *Comparison) Counted(generation int64, writer string) {
	if writes := len(c.Writes(writer)); generation < int64(writes) {
		c.fault(change{}, Altered, "the store counts %d changes of guidelines, but %d writes changed guidelines",
			generation, writes)
	}
}

// Listed is a method that records which version of a guideline readers get. If this version is unknown, the parameter
// "number" is negative.
func (c *Comparison) Listed(key string, number int) {
	c.listed[key] = version{key: key, number: number}
}

// text() returns a name of the version for messages.
func (v *version) text() string {
	if v.number < 0 {
		return "an unknown version"
	}
	return fmt.Sprintf("version %d", v.number)
}

// verdicts() finishes the comparison. It returns a verdict for each guideline that differs from the audit.
func (c *Comparison) verdicts() []Verdict {
	for at, e := range c.changes {
		c.fault(e, Removed, "version %d of the guideline %s is missing", at.number, at.key)
	}
	for key, newest := range c.newest {
		seen, isSeen := c.listed[key]
		switch {
		case newest.deleted && isSeen:
			c.fault(change{}, Altered, "the guideline %s was deleted, but the store still lists %s", key, seen.text())
		case !newest.deleted && !isSeen:
			c.fault(change{}, Altered, "the store does not list the guideline %s, whose newest version is %d",
				key, newest.number)
		case !newest.deleted && seen.number != newest.number:
			c.fault(change{}, Altered, "the store lists %s of the guideline %s, but its newest version is %d",
				seen.text(), key, newest.number)
		}
		delete(c.listed, key)
	}
	for key, seen := range c.listed {
		c.fault(change{}, Altered, "the store lists %s of the guideline %s, which never existed", seen.text(), key)
	}
	slices.SortFunc(c.faults, func(a, b Verdict) int {
		return cmp.Or(
			cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Fault.Seq, b.Fault.Seq), cmp.Compare(a.Fault.Why, b.Fault.Why))
	})
	return c.faults
}

// fault() adds a verdict about a guideline. The parameter e is the audit entry that shows the damage. If no entry shows
// the damage, e is empty.
func (c *Comparison) fault(e change, damage Damage, why string, args ...any) {
	chain := e.Chain
	if e.id == "" {
		chain = Chain{Tenant: c.tenant, Kind: KindChange}
	}
	fault := &Fault{e.seq, e.id, damage, fmt.Sprintf(why, args...)}
	c.faults = append(c.faults, Verdict{Head: Head{Chain: chain}, Fault: fault})
}
