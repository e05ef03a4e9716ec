// Package session stores data that the hooks of a session share: the cached guidelines, a ledger of what happened, and
// small files such as a question that has no answer yet. All files are in the runtime folder, which internal/private
// opens.
//
// The code in key.go makes the names of the files, ledger.go writes the ledger, and sweep.go removes the files of old
// sessions.
package session

import (
	"hash/fnv"
	"strings"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Every file name begins with filePrefix. Ids come from outside. If an id has more than maxID characters or is not a
// plain word, the file name contains hashPrefix and a hash instead of the id.
const (
	filePrefix = product.SessionPrefix
	hashPrefix = "h-"
	maxID      = 64
)

// Key returns a text that identifies the guidelines of an agent of a session. If the parameter "agent" is empty, it
// identifies the guidelines of the main thread.
func Key(session, agent string) string {
	if agent == "" {
		return plainID(session)
	}
	return plainID(session) + "." + plainID(agent)
}

// CacheName returns the name of the file with the cached guidelines that a key identifies.
func CacheName(key string) string { return filePrefix + key + ".json" }

// BeatName returns the name of a file. The modification time of this file says when a hook last ran for an event.
func BeatName(session, event string) string { return Prefix(session) + "beat-" + plainID(event) }

// LedgerName returns the name of the ledger's file.
func LedgerName(session string) string { return Prefix(session) + "ledger" }

// ToldName returns the name of the file that stores what the model has received about the guidelines.
func ToldName(session string) string { return Prefix(session) + "told" }

// GapName returns the name of the file that counts unchecked calls.
func GapName(session string) string { return Prefix(session) + "gap" }

// CallsName returns the name of the file with hashes of an agent's last calls.
func CallsName(session, agent string) string { return Prefix(session) + "calls-" + plainID(agent) }

// LoopName returns the name of the file that exists if an agent made a call again and again. The argument "call"
// has the tool and the input.
func LoopName(session, agent, call string) string {
	return Prefix(session) + "loop-" + hash(agent+"\n"+call)
}

// LoopsName returns the name of a file that exists if the session has at least one file with a name from LoopName.
func LoopsName(session string) string { return Prefix(session) + "loop-any" }

// TalkName returns the name of the file with the data that the detectors need about a session. Only the service reads
// and writes this file.
func TalkName(session string) string { return Prefix(session) + "talk" }

// AnswersName returns the name of the file that exists if the detectors check the final answers of a session.
func AnswersName(session string) string { return Prefix(session) + "answers" }

// TurnName returns the name of the file that exists if the safety gate checks the final answers of a session. The file
// contains what the gate needs to know about the last prompt. Only the service reads and writes this file.
func TurnName(session string) string { return Prefix(session) + "turn" }

// AskName returns the name of the file with a question that a person has not answered yet.
func AskName(session, toolUseID string) string { return AskPrefix(session) + plainID(toolUseID) }

// AskPrefix returns the beginning that the results of AskName share for all questions of a session.
func AskPrefix(session string) string { return Prefix(session) + "ask-" }

// DeniedName returns the name of the file with a denied call that a person may allow once.
func DeniedName(session, code string) string {
	return Prefix(session) + "denied-" + plainID(code)
}

// GrantName returns the name of the file that allows a denied call once.
func GrantName(session, code string) string { return Prefix(session) + "allow-" + plainID(code) }

// SpentName returns the name of the file that marks a permission as used.
func SpentName(session, code string) string { return Prefix(session) + "spent-" + plainID(code) }

// GrantsName returns the name of the file that exists if a person has allowed any denied call of the session.
func GrantsName(session string) string { return Prefix(session) + "granted" }

// BaseName returns the name of the file with the commit that the project had when a session without a person began.
func BaseName(session string) string { return Prefix(session) + "base" }

// OwnFilesName returns the name of the file that describes the expected state of the guard's own files.
func OwnFilesName(session string) string { return Prefix(session) + "own-files" }

// ApprovedName returns the name of the file that allows a call to change the guard's own files.
func ApprovedName(session, toolUseID string) string {
	return Prefix(session) + "approved-" + plainID(toolUseID)
}

// Prefix returns the text with which the name of every file of a session begins.
func Prefix(session string) string { return filePrefix + plainID(session) + "." }

// plainID converts an id to a text that a file name can contain. If the id is not a plain word, or looks like a hash,
// plainID returns a hash of it. So two different ids never get the same text.
func plainID(id string) string {
	if len(id) > 0 && len(id) <= maxID && !strings.HasPrefix(id, hashPrefix) && private.IsWord(id) {
		return id
	}
	return hashPrefix + hash(id)
}

// hash() returns a hash of a text. It is not a cryptographic hash, because that would make the start of every hook
// slower. The agent cannot choose the ids, so it cannot create two ids with the same hash.
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
