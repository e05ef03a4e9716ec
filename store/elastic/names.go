package elastic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"guardrails/internal/product"
	"guardrails/store"
)

// The aliases of the indices. Requests use only these names.
const (
	configIndex = product.ConfigIndex
	auditIndex  = product.AuditIndex
	stateIndex  = product.StateIndex
)

// indices turns aliases into full names by adding the prefix.
type indices struct{ prefix string }

func newIndices(prefix string) (indices, error) {
	const characters = "abcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(prefix) > 100 || strings.Trim(prefix, characters) != "" || strings.HasPrefix(prefix, "-") ||
		strings.HasPrefix(prefix, "_") {
		return indices{}, store.Errorf(store.Invalid, "the index prefix %.140q is invalid; "+
			"use up to 100 lower-case letters, digits, hyphens and underscores, starting with a letter or digit", prefix)
	}
	return indices{prefix}, nil
}

func (i indices) name(index string) string { return i.prefix + index }

// The kinds of documents.
const (
	kindRevision = "revision"
	kindEntry    = "entry"
	kindJournal  = "journal"
	kindWritten  = "written"
	kindPart     = "part"
	kindIdentity = "identity"
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
