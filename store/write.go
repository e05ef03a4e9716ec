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
	// MaxName is the limit of actors, sessions, writers and events, in bytes.
	MaxName = 200
)

// Write says who changes something, for which tenant, and by which id the change is known if it has to be repeated.
type Write struct {
	// ID is made by the client, by NewID or alike: 8 to 64 letters, digits, hyphens and underscores.
	ID     string
	Tenant string
	Actor  string
	// Session is the agent's session that the change came from, if there is one.
	Session string
}

// Ref names a guideline and the version of it that the caller saw.
type Ref struct {
	ID      string
	Version int
}

// NewID makes an id that no other has and that sorts by time: 48 bits of milliseconds and 80 random ones.
func NewID(now time.Time) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(now.UnixMilli())<<16)
	_, _ = rand.Read(raw[6:]) // never fails: it ends the program instead
	return base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding).EncodeToString(raw[:])
}

// Validate says what is wrong with a write.
func (w *Write) Validate() error {
	if err := CheckWriteID(w.ID); err != nil {
		return err
	}
	if w.Actor == "" {
		return Errorf(Invalid, "the actor is missing; say who makes the change")
	}
	if err := checkName("actor", w.Actor); err != nil {
		return err
	}
	if err := checkName("session", w.Session); err != nil {
		return err
	}
	return CheckTenant(w.Tenant)
}

// CheckWriteID says what is wrong with the id of a write.
func CheckWriteID(id string) error {
	if len(id) < MinWriteID || len(id) > MaxWriteID || strings.Trim(id, idCharacters) != "" {
		return Errorf(Invalid, "the write id %.80q is not %d to %d letters, digits, hyphens and underscores; make one for every change", id, MinWriteID, MaxWriteID)
	}
	return nil
}

const idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// CheckTenant says what is wrong with a tenant's name.
func CheckTenant(tenant string) error {
	if len(tenant) > guideline.MaxIDLength {
		return Errorf(Invalid, "the tenant %.40q… is longer than %d characters; shorten it", tenant, guideline.MaxIDLength)
	}
	return checkName("tenant", tenant)
}

func checkName(what, name string) error {
	switch {
	case len(name) > MaxName:
		return Errorf(Invalid, "the %s %.40q… is longer than %d characters; shorten it", what, name, MaxName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return Errorf(Invalid, "the %s %.80q has control characters or is not UTF-8; remove them", what, name)
	}
	return nil
}

// Fingerprint tells whether a repeated write id comes with the same change: it is a digest of the operation and its
// arguments.
func Fingerprint(operation string, arguments ...any) (string, error) {
	text, err := json.Marshal(append([]any{operation}, arguments...))
	if err != nil {
		return "", Errorf(Invalid, "the change cannot be written as JSON: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Reused is the error for a write id that was used for another change.
func Reused(id string) *Error {
	return Errorf(Invalid, "the write id %s was used for another change; make a new one for every change", id)
}
