package store

import (
	"encoding/json"
	"slices"
	"strings"
)

// Result is a method that compares the stored result of a write with the revisions that the write created. It adds a
// verdict if they differ, or if the audit has no such write and the result says that guidelines were changed. Add all
// revisions before you call Result.
func (c *Comparison) Result(writeID, fingerprint, result string) {
	w, known := c.writes[writeID]
	switch {
	case c.Explains(writeID, fingerprint, result):
	case known:
		c.fault(w.change, Altered, "the stored result of the write %s differs from its changes", writeID)
	default:
		c.fault(change{}, Altered, "no audit entry explains the stored result of the write %s", writeID)
	}
}

// Explains is a method that reports whether a stored result matches the revisions of its write. The empty results of
// loaded dumps have no fingerprint, and match every write that has revisions. A write without revisions can be an
// import that changed nothing.
func (c *Comparison) Explains(writeID, fingerprint, result string) bool {
	w := c.writes[writeID]
	if fingerprint == "" {
		return len(w.made) > 0 && strings.Trim(result, "{} ") == ""
	}
	var r ImportResult
	if !isDigest(fingerprint) || json.Unmarshal([]byte(result), &r) != nil || !r.Applied {
		return false
	}
	var said []string
	for i := range r.Items {
		item := &r.Items[i]
		switch {
		case item.Code != "" || item.Message != "":
			return false
		case !item.Changed():
			if newest := c.newest[item.Key()]; item.Version < 1 || item.Version > newest.number {
				return false
			}
		default:
			said = append(said, outcome(item.Key(), item.Version, item.Outcome))
		}
	}
	var want []string
	for _, m := range w.made {
		want = append(want, outcome(m.key, m.number, c.outcomeOf(m)))
	}
	slices.Sort(said)
	slices.Sort(want)
	return slices.Equal(said, want)
}

// outcomeOf returns what an import did when it made a revision: ItemCreated or ItemUpdated. If no import made the
// revision, it returns "".
func (c *Comparison) outcomeOf(m made) Outcome {
	switch {
	case !m.imported:
		return ""
	case m.number == 1 || c.deletions[version{key: m.key, number: m.number - 1}]:
		return ItemCreated
	}
	return ItemUpdated
}

func outcome(key string, number int, o Outcome) string {
	at := version{key: key, number: number}
	return at.text() + " of " + key + ": " + string(o)
}

// Changed reports whether the import created a new version of the item's guideline.
func (i *ImportItem) Changed() bool { return i.Outcome != ItemUnchanged && i.Outcome != ItemSkipped }

// isDigest reports whether a text could be the result of Fingerprint.
func isDigest(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}
