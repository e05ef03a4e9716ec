// Package session stores data that the hooks of a session share: the cached guidelines, a ledger of what happened,
// and small files such as a question that has no answer yet. All files are in the runtime folder, which package
// private opens.
//
// key.go names the files, ledger.go writes the ledger, and sweep.go removes the files of old sessions.
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

// Key identifies the guidelines of a session's main thread. If agent is not empty, it identifies those of a subagent.
func Key(session, agent string) string {
	if agent == "" {
		return plainID(session)
	}
	return plainID(session) + "." + plainID(agent)
}

// CacheName returns the name of the file with the guidelines of a key.
func CacheName(key string) string { return filePrefix + key + ".json" }

// BeatName returns the name of the file whose modification time says when a hook last ran for an event.
func BeatName(session, event string) string { return Prefix(session) + "beat-" + plainID(event) }

// LedgerName returns the name of the ledger's file.
func LedgerName(session string) string { return Prefix(session) + "ledger" }

// ToldName returns the name of the file that stores what the model was told about the guidelines.
func ToldName(session string) string { return Prefix(session) + "told" }

// GapName returns the name of the file that counts unchecked calls.
func GapName(session string) string { return Prefix(session) + "gap" }

// AskName returns the name of the file of a gate that waits for an answer.
func AskName(session, toolUseID string) string { return AskPrefix(session) + plainID(toolUseID) }

// AskPrefix returns the prefix of AskName for all gates of a session.
func AskPrefix(session string) string { return Prefix(session) + "ask-" }

// DeniedName returns the name of the file of a refused call that a person may allow once.
func DeniedName(session, code string) string {
	return Prefix(session) + "denied-" + plainID(code)
}

// GrantName returns the name of the file that permits a refused call.
func GrantName(session, code string) string { return Prefix(session) + "allow-" + plainID(code) }

// SpentName returns the name of the file that marks a permission as used.
func SpentName(session, code string) string { return Prefix(session) + "spent-" + plainID(code) }

// GrantsName returns the name of the file that exists once a refused call of the session has been allowed.
func GrantsName(session string) string { return Prefix(session) + "granted" }

// Prefix returns the prefix of the names of all files of a session.
func Prefix(session string) string { return filePrefix + plainID(session) + "." }

// plainID converts an id to a form that file names can have. If the id is not a plain word, or looks like a hash,
// plainID returns a hash of it. So two ids never get the same name.
func plainID(id string) string {
	if len(id) > 0 && len(id) <= maxID && !strings.HasPrefix(id, hashPrefix) && private.IsWord(id) {
		return id
	}
	return hashPrefix + hash(id)
}

// hash returns a hash of a text. It is not a cryptographic hash, because that would slow down the start of every
// hook. The agent cannot choose the ids, so it cannot cause collisions.
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
