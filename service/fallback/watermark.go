package fallback

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"guardrails/store"
)

// Mark records the newest state of a tenant's guidelines that this computer has seen in a store: the number of changes,
// and the newest entry of every chain of changes. If the store now has fewer changes, or lacks one of these entries, it
// is not the same store. The store is then an older copy, or an empty database that replaced a deleted database.
// Without the mark, nobody would notice that guidelines were lost.
type Mark struct {
	Changes int64        `json:"changes"`
	Heads   []store.Head `json:"heads,omitempty"`
}

// NewMark returns a mark. The parameter "heads" has the newest entries of all chains. The mark gets only the newest
// entries of the chains of changes. It leaves out the chains of decisions, because old decisions can be removed.
func NewMark(changes int64, heads []store.Head) Mark {
	m := Mark{Changes: changes}
	for _, h := range heads {
		if h.Kind == store.KindChange {
			m.Heads = append(m.Heads, store.Head{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash})
		}
	}
	return m
}

// Count returns the number of changes in words.
func (m Mark) Count() string {
	if m.Changes == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", m.Changes)
}

// Includes reports whether the state in the mark m includes the state in another mark. It compares only the two marks
// and does not read the stores.
func (m Mark) Includes(other Mark) bool {
	return m.Changes >= other.Changes && !slices.ContainsFunc(other.Heads, func(h store.Head) bool {
		return !slices.Contains(m.Heads, h)
	})
}

const (
	watermarkFolder = "seen"
	maxWatermark    = 1 << 20
)

// StoreID identifies the data of one tenant in a store: by the store's location, the settings that name the store,
// and the tenant.
type StoreID struct{ Place, Settings, Tenant string }

func (i StoreID) fileName() string { return fileName(i.Place, i.Settings, i.Tenant) }

func placeFile(place string) string { return fileName(place) }

// Watermark returns the mark of a store. The mark is zero if no process has seen the store.
func (k *Keeper) Watermark(id StoreID) (m Mark) {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return Mark{}
	}
	text, err := d.Read(id.fileName(), maxWatermark)
	if err != nil || json.Unmarshal(text, &m) != nil {
		return Mark{}
	}
	return m
}

// RaiseWatermark records the state of a store. It never records fewer changes or, for the same number of changes, a
// shorter chain, even if several processes call it at the same time.
func (k *Keeper) RaiseWatermark(id StoreID, m Mark) error {
	if _, higher := k.Watermark(id).raised(m); !higher {
		return nil
	}
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return err
	}
	return d.WithLock(func() error {
		next, higher := k.Watermark(id).raised(m)
		if !higher {
			return nil
		}
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		if err := d.Write(placeFile(id.Place), []byte("{}")); err != nil {
			return err
		}
		return d.Write(id.fileName(), text)
	})
}

// raised() returns the mark that replaces m. The parameter "to" is the state in which a store was seen. If m must stay,
// the result "isHigher" is false, and the returned mark has no meaning. The removal of old entries adds an entry to a
// chain, but does not count as a change. So if both marks have the same number of changes, the result has the longer
// version of each chain.
func (m Mark) raised(to Mark) (higher Mark, isHigher bool) {
	if to.Changes != m.Changes {
		return to, to.Changes > m.Changes
	}
	higher = Mark{Changes: to.Changes, Heads: slices.Clone(to.Heads)}
	for _, h := range m.Heads {
		at := slices.IndexFunc(higher.Heads, func(other store.Head) bool { return other.Chain == h.Chain })
		switch {
		case at < 0:
			higher.Heads = append(higher.Heads, h)
		case higher.Heads[at].Seq < h.Seq:
			higher.Heads[at] = h
		}
	}
	return higher, !m.Includes(higher)
}

// WasSeen reports whether guidelines were ever read from a store at a place.
func (k *Keeper) WasSeen(place string) bool {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return false
	}
	_, err = d.Read(placeFile(place), maxWatermark)
	return err == nil
}

// WasNeverSeen reports whether it is certain that no guidelines were ever read from a store at a place. It is not certain
// if the state folder cannot be read.
func (k *Keeper) WasNeverSeen(place string) bool {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return false
	}
	_, err = d.Read(placeFile(place), maxWatermark)
	return errors.Is(err, fs.ErrNotExist)
}

// ClearWatermark removes the mark of a store, the guidelines that were read from it, and the record that there was a
// store at its place.
func (k *Keeper) ClearWatermark(id StoreID) error {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return err
	}
	if err = d.WithLock(func() error {
		_, err := d.Remove(id.fileName())
		if err == nil {
			_, err = d.Remove(placeFile(id.Place))
		}
		return err
	}); err != nil {
		return err
	}
	if d, _, err = k.Dir(sharedFolder); err != nil {
		return err
	}
	_, err = d.Remove(id.fileName())
	return err
}

// OlderStoreError reports that a store lacks changes that its mark shows.
type OlderStoreError struct {
	Place     string
	Has, Seen int64
}

func (e *OlderStoreError) Error() string {
	return e.What() + "; restore the newer store, or run \"guardrails init\" to accept this one"
}

// What is a method that returns a description of the problem. Unlike Error, it does not say how to solve the problem.
func (e *OlderStoreError) What() string {
	if e.Has >= e.Seen {
		return fmt.Sprintf("the store %s is a different one or an older copy: it lacks changes that hooks have seen", e.Place)
	}
	return fmt.Sprintf("the store %s is a different one or an older copy: hooks have seen %s to guidelines "+
		"in it, but it has only %d",
		e.Place, Mark{Changes: e.Seen}.Count(), e.Has)
}
