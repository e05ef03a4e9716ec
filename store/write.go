package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guardrails/guideline"
)

// Limits of a write's fields.
const (
	MinWriteID = 8
	MaxWriteID = 64
	// MaxName is the maximum length of actors, sessions, writers and events in bytes.
	MaxName = 200
)

// Write identifies a change: it says who makes the change, and in which tenant. It also has an id by which the store
// recognizes a repetition of the change.
type Write struct {
	// ID is chosen by the client, for example with NewID. It has 8 to 64 characters, which are letters, digits, hyphens or
	// underscores.
	ID     string
	Tenant string
	Actor  string
	// Session is the agent's session that made the change, if there is one.
	Session string
}

// Ref is the key of a guideline and the version that the caller saw.
type Ref struct {
	Key     string
	Version int
}

// NewID returns a unique id that sorts by time. It has 48 bits of milliseconds and 80 random bits.
func NewID(now time.Time) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(now.UnixMilli())<<16)
	_, _ = rand.Read(raw[6:]) // never returns an error: it ends the program instead
	encoding := base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)
	return encoding.EncodeToString(raw[:])
}

// Validate checks the fields of a write.
func (w *Write) Validate() error {
	if err := CheckWriteID(w.ID); err != nil {
		return err
	}
	if w.Actor == "" {
		return Errorf(Invalid, "the actor is missing; set who makes the change")
	}
	if err := checkName("actor", w.Actor); err != nil {
		return err
	}
	if err := checkName("session", w.Session); err != nil {
		return err
	}
	return CheckTenant(w.Tenant)
}

// CheckWriteID checks the id of a write.
func CheckWriteID(id string) error {
	if len(id) < MinWriteID || len(id) > MaxWriteID || strings.Trim(id, idCharacters) != "" {
		return Errorf(Invalid, "the write id %.80q is invalid; use %d to %d letters, digits, hyphens and underscores",
			id, MinWriteID, MaxWriteID)
	}
	return nil
}

const idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// CheckTenant checks the name of a tenant.
func CheckTenant(tenant string) error {
	if len(tenant) > guideline.MaxIDLength {
		return Errorf(Invalid, "the tenant %.40q… is longer than %d bytes; shorten it", tenant, guideline.MaxIDLength)
	}
	return checkName("tenant", tenant)
}

func checkName(what, name string) error {
	switch {
	case len(name) > MaxName:
		return Errorf(Invalid, "the %s %.40q… is longer than %d bytes; shorten it", what, name, MaxName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return Errorf(Invalid, "the %s %.80q contains control characters or invalid UTF-8; remove them", what, name)
	}
	return nil
}

// Fingerprint returns a digest of an operation and its arguments. It shows whether a repeated write id belongs to the
// same change.
func Fingerprint(operation string, arguments ...any) (string, error) {
	text, err := json.Marshal(append([]any{operation}, arguments...))
	if err != nil {
		return "", Errorf(Invalid, "cannot write the change as JSON: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Reused is a function that returns the error for a write id that was used for another change.
func Reused(id string) *Error {
	return Errorf(Invalid, "the write id %s was already used for another change; use a new one for every change", id)
}
