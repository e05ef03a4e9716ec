package fallback

import (
	"encoding/json"
	"fmt"
)

// watermark records how many changes to a tenant's guidelines hooks have seen in a store. If the store has fewer
// changes now, it is not the same store: it is an older copy, or an empty database that replaced a deleted one. Without
// the watermark, guidelines would be lost without a notice.
type watermark struct {
	Changes int64 `json:"changes"`
}

const (
	watermarkFolder = "seen"
	maxWatermark    = 4 << 10
)

// StoreID identifies the data of one tenant in a store: by the store's location, the settings that name the store,
// and the tenant.
type StoreID struct{ Place, Settings, Tenant string }

func (i StoreID) fileName() string { return fileName(i.Place, i.Settings, i.Tenant) }

// Watermark returns how many changes hooks have seen in a store. It returns 0 if the number is unknown.
func (k *Keeper) Watermark(id StoreID) int64 {
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return 0
	}
	var w watermark
	text, err := d.Read(id.fileName(), maxWatermark)
	if err != nil || json.Unmarshal(text, &w) != nil {
		return 0
	}
	return w.Changes
}

// RaiseWatermark records the number of changes in a store. It never lowers a watermark.
func (k *Keeper) RaiseWatermark(id StoreID, changes int64) error {
	if changes <= k.Watermark(id) {
		return nil
	}
	text, err := json.Marshal(watermark{changes})
	if err != nil {
		return err
	}
	d, _, err := k.Dir(watermarkFolder)
	if err != nil {
		return err
	}
	return d.Write(id.fileName(), text)
}

// ClearWatermark removes the watermark of a store.
func (k *Keeper) ClearWatermark(id StoreID) error {
	d, _, err := k.Dir(watermarkFolder)
	if err == nil {
		_, err = d.Remove(id.fileName())
	}
	return err
}

// OlderStoreError reports that a store has fewer changes than its watermark.
type OlderStoreError struct {
	Place     string
	Has, Seen int64
}

func (e *OlderStoreError) Error() string {
	return e.What() + "; restore the newer one, or accept this one with guardrails init"
}

// What returns a description of the problem. Unlike Error, it does not say how to solve the problem.
func (e *OlderStoreError) What() string {
	changes := "changes"
	if e.Seen == 1 {
		changes = "change"
	}
	return fmt.Sprintf("the store %s is a different one or an older copy: hooks have seen %d %s of guidelines in it, but it has only %d",
		e.Place, e.Seen, changes, e.Has)
}
