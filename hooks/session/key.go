// Package session keeps what the hooks of a session leave for later hooks: the cache of its guidelines, a ledger of what
// happened, and small files such as a question that waits for its answer. All of them are in the runtime folder, which
// package private opens.
//
// key.go names the files, ledger.go has the ledger, and sweep.go removes the files of old sessions.
package session

import (
	"hash/fnv"
	"strings"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// File names are made of ids, which come from outside: a name has nothing in it but what is allowed here.
const (
	filePrefix = product.SessionPrefix
	hashPrefix = "h-"
	maxID      = 64
)

// Key names the guidelines of a session's main thread, or of one of its subagents when there is an agent's id.
func Key(session, agent string) string {
	if agent == "" {
		return plainID(session)
	}
	return plainID(session) + "." + plainID(agent)
}

// CacheName is the file of the guidelines for a key, as Key makes it.
func CacheName(key string) string { return filePrefix + key + ".json" }

// BeatName is the file whose time is when a hook event was last seen.
func BeatName(session, event string) string { return Prefix(session) + "beat-" + plainID(event) }

// LedgerName is the file of what happened in a session.
func LedgerName(session string) string { return Prefix(session) + "ledger" }

// GapName is the file of the time in which a session went on unguarded.
func GapName(session string) string { return Prefix(session) + "gap" }

// AskName is the file of a gate that waits for its answer.
func AskName(session, toolUseID string) string { return AskPrefix(session) + plainID(toolUseID) }

// AskPrefix is what the names of a session's waiting gates begin with.
func AskPrefix(session string) string { return Prefix(session) + "ask-" }

// DeniedName is the file of a refused call that a person may allow once.
func DeniedName(session, code string) string {
	return Prefix(session) + "denied-" + plainID(code)
}

// GrantName is the file of the permission for a refused call.
func GrantName(session, code string) string { return Prefix(session) + "allow-" + plainID(code) }

// GrantsName is the file that is there once a refused call of the session was permitted.
func GrantsName(session string) string { return Prefix(session) + "granted" }

// Prefix is what the names of all files of a session begin with.
func Prefix(session string) string { return filePrefix + plainID(session) + "." }

// plainID is an id as it stands in file names. An id that is anything but a plain word is hashed, and so is one that
// looks like a hash, so that no id can pass for another.
func plainID(id string) string {
	if len(id) > 0 && len(id) <= maxID && !strings.HasPrefix(id, hashPrefix) && private.IsWord(id) {
		return id
	}
	return hashPrefix + hash(id)
}

// hash tells different texts apart. It is no cryptographic one, which would cost every start: ids are the client's, not
// the agent's to choose.
func hash(text string) string {
	h := fnv.New128a()
	_, _ = h.Write([]byte(text)) // a hash's Write does not fail
	return hexadecimal(h.Sum(nil))
}

func hexadecimal(sum []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(sum))
	for _, b := range sum {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}
