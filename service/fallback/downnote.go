package fallback

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"guardrails/internal/private"
	"guardrails/store"
)

// If no guardrails server runs on this computer, each request of a hook starts a new process. If the store or the
// server that the settings name does not answer this process, the process leaves a note in the runtime folder, so that
// the next process does not wait again. The note is signed, and is valid for a short time.

const (
	// noteTime is how long a note is valid.
	noteTime = 15 * time.Second
	// The constant "noticeable" is the shortest wait after which a note is written. A store that refuses immediately
	// needs no note.
	noticeable = 150 * time.Millisecond
	notePrefix = "down-"
	maxNote    = 4 << 10
)

// DownNote is the note about one store or server. The methods of a nil DownNote do nothing.
type DownNote struct {
	dir  *private.Dir
	name string
	// The field "began" is when this process began to wait.
	began time.Time
}

// NoteAbout returns the note about a store or a server. A caller who needs no note uses a nil note.
func NoteAbout(env func(string) string, which string) *DownNote {
	sum := sha256.Sum256([]byte(which))
	n := &DownNote{name: notePrefix + hex.EncodeToString(sum[:8]), began: time.Now()}
	n.dir, _ = private.Runtime(env) // without the folder, each process waits
	return n
}

// Read returns the error that another process noted a short time ago, or nil.
func (n *DownNote) Read() error {
	if n == nil || n.dir == nil {
		return nil
	}
	noted, found := n.dir.Seen(n.name)
	if age := time.Since(noted); !found || age < -time.Second || age > noteTime {
		return nil
	}
	text, err := n.dir.ReadSigned(n.name, maxNote)
	if err != nil {
		return nil // a note that somebody else wrote is ignored
	}
	at, reason := splitNote(text)
	if age := time.Since(at); age < -time.Second || age > noteTime {
		return nil // somebody has changed the time of the file
	}
	return store.Errorf(store.Unavailable, "%s", reason)
}

// Result is a method that removes the note after a successful attempt. After a failed attempt that took as long as the
// constant "noticeable", Result writes the note. It returns the error of the attempt.
func (n *DownNote) Result(err error) error {
	switch {
	case n == nil || n.dir == nil:
	case err == nil:
		_, _ = n.dir.Remove(n.name) // an old note becomes invalid by itself
	case time.Since(n.began) >= noticeable:
		text := strconv.FormatInt(time.Now().UnixMilli(), 10) + " " + err.Error()
		text = text[:min(len(text), maxNote)]
		_ = n.dir.Write(n.name, n.dir.KeyOf(n.name).Sign([]byte(text))) // without the note, the next process waits
	}
	return err
}

// splitNote returns when a note was written, and the error in it.
func splitNote(text []byte) (at time.Time, reason string) {
	first, rest, found := strings.Cut(string(text), " ")
	millis, err := strconv.ParseInt(first, 10, 64)
	if !found || err != nil {
		return time.Time{}, ""
	}
	return time.UnixMilli(millis), rest
}
