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

// Ids come from outside, so file names have only these characters.
const (
	filePrefix = product.SessionPrefix
	hashPrefix = "h-"
	maxID      = 64
)

// Key identifies the guidelines of a session's main thread, or of a subagent when agent is not empty.
func Key(session, agent string) string {
	if agent == "" {
		return plainID(session)
	}
	return plainID(session) + "." + plainID(agent)
}

// CacheName returns the name of the file with the guidelines of a key.
func CacheName(key string) string { return filePrefix + key + ".json" }

// BeatName returns the name of the file whose modification time says when a hook event last happened.
func BeatName(session, event string) string { return Prefix(session) + "beat-" + plainID(event) }

// LedgerName returns the name of the ledger's file.
func LedgerName(session string) string { return Prefix(session) + "ledger" }

// ToldName returns the name of the file with what the model of a session was told about the guidelines.
func ToldName(session string) string { return Prefix(session) + "told" }

// GapName returns the name of the file about an unguarded period.
func GapName(session string) string { return Prefix(session) + "gap" }

// AskName returns the name of the file of a gate that waits for an answer.
func AskName(session, toolUseID string) string { return AskPrefix(session) + plainID(toolUseID) }

// AskPrefix returns the prefix of AskName for all gates of a session.
func AskPrefix(session string) string { return Prefix(session) + "ask-" }

// DeniedName returns the name of the file of a refused call that a person may allow once.
func DeniedName(session, code string) string {
	return Prefix(session) + "denied-" + plainID(code)
}

// GrantName returns the name of the file that allows a refused call.
func GrantName(session, code string) string { return Prefix(session) + "allow-" + plainID(code) }

// SpentName returns the name of the file that says that a permission was used.
func SpentName(session, code string) string { return Prefix(session) + "spent-" + plainID(code) }

// GrantsName returns the name of the file that exists once a refused call of the session has been allowed.
func GrantsName(session string) string { return Prefix(session) + "granted" }

// Prefix returns the prefix of the names of all files of a session.
func Prefix(session string) string { return filePrefix + plainID(session) + "." }

// plainID returns an id in the form that file names have. It hashes an id that is not a plain word or looks like a
// hash, so no id can be taken for another.
func plainID(id string) string {
	if len(id) > 0 && len(id) <= maxID && !strings.HasPrefix(id, hashPrefix) && private.IsWord(id) {
		return id
	}
	return hashPrefix + hash(id)
}

// hash returns a fingerprint of a text. It is not a cryptographic one, which would slow down every start: the client
// chooses the ids, not the agent.
func hash(text string) string {
	h := fnv.New128a()
	_, _ = h.Write([]byte(text)) // the Write of a hash does not fail
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
