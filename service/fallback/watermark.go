package fallback

import (
	"encoding/json"
	"fmt"
	"slices"

	"guardrails/store"
)

// Mark records the newest state that this computer has seen of a tenant's guidelines in a store: the number of changes,
// and the newest entry of every chain of changes. If the store has fewer changes now, or lacks one of the entries,
// it is not the same store: it is an older copy, or an empty database that replaced a deleted one. Without the
// mark, guidelines would be lost without a notice.
type Mark struct {
	Changes int64        `json:"changes"`
	Heads   []store.Head `json:"heads,omitempty"`
}

// NewMark returns a mark with the heads of the chains of changes. The chains of decisions are left out: they can be
// pruned.
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

// Includes reports whether a store in the state m has everything that the mark other has, as far as the two
// marks alone show this.
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

// Watermark returns the mark of a store. It is zero if no process has seen the store.
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

// RaiseWatermark records the state of a store. It never lowers the number of changes.
func (k *Keeper) RaiseWatermark(id StoreID, m Mark) error {
	if known := k.Watermark(id); m.Changes < known.Changes || m.Changes == known.Changes && m.Includes(known) &&
		len(m.Heads) == len(known.Heads) {
		return nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return err
	}
	if err := d.Write(placeFile(id.Place), []byte("{}")); err != nil {
		return err
	}
	return d.Write(id.fileName(), text)
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

// ClearWatermark removes the mark of a store, and the record that there was a store at its place.
func (k *Keeper) ClearWatermark(id StoreID) error {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return err
	}
	if _, err = d.Remove(id.fileName()); err != nil {
		return err
	}
	_, err = d.Remove(placeFile(id.Place))
	return err
}

// OlderStoreError reports that a store lacks changes that its mark has.
type OlderStoreError struct {
	Place     string
	Has, Seen int64
}

func (e *OlderStoreError) Error() string {
	return e.What() + "; restore the newer one, or accept this one with guardrails init"
}

// What returns a description of the problem. Unlike Error, it does not say how to solve the problem.
func (e *OlderStoreError) What() string {
	if e.Has >= e.Seen {
		return fmt.Sprintf("the store %s is a different one or an older copy: it lacks changes that hooks have seen", e.Place)
	}
	return fmt.Sprintf("the store %s is a different one or an older copy: hooks have seen %s to guidelines "+
		"in it, but it has only %d",
		e.Place, Mark{Changes: e.Seen}.Count(), e.Has)
}
