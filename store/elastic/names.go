package elastic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"guardrails/internal/product"
	"guardrails/store"
)

// The indices. Programs know them by these aliases alone.
const (
	configIndex = product.ConfigIndex
	auditIndex  = product.AuditIndex
	stateIndex  = product.StateIndex
)

// indices gives the aliases their prefix.
type indices struct{ prefix string }

func newIndices(prefix string) (indices, error) {
	if len(prefix) > 100 || strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || strings.HasPrefix(prefix, "-") || strings.HasPrefix(prefix, "_") {
		return indices{}, store.Errorf(store.Invalid, "the prefix %.140q of indices is not usable; use up to 100 small letters, digits, hyphens and underscores, beginning with a letter or digit", prefix)
	}
	return indices{prefix}, nil
}

func (i indices) name(index string) string { return i.prefix + index }

// The kinds of documents that have names of their own.
const (
	kindRevision = "revision"
	kindEntry    = "entry"
	kindJournal  = "journal"
	kindWritten  = "written"
	kindPart     = "part"
	kindIdentity = "identity"
)

// documentID is a name that nothing else has: a digest of all that tells a document from others.
func documentID(kind string, parts ...any) string {
	text, err := json.Marshal(append([]any{kind}, parts...))
	if err != nil {
		panic(err) // texts and numbers can always be written
	}
	sum := sha256.Sum256(text)
	return kind + "-" + hex.EncodeToString(sum[:20])
}
