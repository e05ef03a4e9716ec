package elastic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/internal/product"
	"guardrails/store"
)

// The aliases of the indices. Requests use only these names.
const (
	configIndex = product.ConfigIndex
	auditIndex  = product.AuditIndex
	stateIndex  = product.StateIndex
	// splitStateIndex is the alias of the state of a store whose audit is split. Programs that do not know segments know
	// only stateIndex, so they do not find the state.
	splitStateIndex = stateIndex + "-2"
	// segmentsIndex is the alias of all segments of a split audit.
	segmentsIndex = auditIndex + "-all"
)

// segmentIndex returns the alias of one segment of a split audit. Segment 0 has all changes, and the decisions from
// before the audit was split. The alias of segment 0 is auditIndex.
func segmentIndex(number int) string { return fmt.Sprintf("%s-%06d", auditIndex, number) }

// The type "indices" turns aliases into full names. It adds the prefix.
type indices struct {
	prefix string
	// The field "split" is set if the audit is split into segments.
	split bool
}

func newIndices(prefix string) (indices, error) {
	const characters = "abcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(prefix) > 100 || strings.Trim(prefix, characters) != "" || strings.HasPrefix(prefix, "-") ||
		strings.HasPrefix(prefix, "_") {
		return indices{}, store.Errorf(store.Invalid, "the index prefix %.140q is invalid; "+
			"use up to 100 lower-case letters, digits, hyphens and underscores, starting with a letter or digit", prefix)
	}
	return indices{prefix: prefix}, nil
}

// name() returns the alias that searches use for an index. For a split audit, this alias stands for all segments.
func (i indices) name(index string) string {
	if i.split && index == auditIndex {
		return i.prefix + segmentsIndex
	}
	return i.single(index)
}

// single() returns the alias of a single index, for reading and writing documents by name. For the alias of the audit,
// the result is the alias of segment 0. For another segment, pass the alias of that segment.
func (i indices) single(index string) string {
	if i.split && index == stateIndex {
		return i.prefix + splitStateIndex
	}
	return i.prefix + index
}

// The kinds of documents.
const (
	kindRevision = "revision"
	kindEntry    = "entry"
	kindJournal  = "journal"
	kindWritten  = "written"
	kindPart     = "part"
	kindIdentity = "identity"
	kindSegments = "segments"

	kindEndpoints = "endpoints"
	kindLease     = "lease"
	kindMark      = "mark"
	kindDelivery  = "delivery"
)

// documentID returns the unique name of a document: a digest of its kind and the parts that identify it.
func documentID(kind string, parts ...any) string {
	text, err := json.Marshal(append([]any{kind}, parts...))
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	sum := sha256.Sum256(text)
	return kind + "-" + hex.EncodeToString(sum[:20])
}
