package access

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Token is somebody's permission to ask. What they have to know for it is told once and kept nowhere: only its hash is.
type Token struct {
	Name    string
	Tenant  string
	Role    Role
	Created time.Time
	// Expires is when it ends; zero is never.
	Expires time.Time
	// Damage says why the token's file cannot be used; empty when all is well.
	Damage string

	hash [sha256.Size]byte
}

// Expired tells whether a token has ended at a time.
func (t *Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// secretSize is how many random bytes a secret has, and secretPrefix what it begins with, so that it is known for one where
// it gets lost.
const (
	secretSize   = 32
	secretPrefix = "gr_"
)

func newSecret() string {
	random := make([]byte, secretSize)
	_, _ = rand.Read(random) // never fails: it ends the program instead
	return secretPrefix + base64.RawURLEncoding.EncodeToString(random)
}

// stored is a token as its file has it.
type stored struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant,omitempty"`
	Role    string    `json:"role"`
	Hash    string    `json:"sha256"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
}

func (t *Token) encode() ([]byte, error) {
	text, err := json.Marshal(stored{t.Name, t.Tenant, t.Role.String(), hex.EncodeToString(t.hash[:]), t.Created, t.Expires})
	return append(text, '\n'), err
}

// errDamaged is the cause where a file is not one that this package wrote.
var errDamaged = errors.New("is damaged; revoke the token and make a new one")

// decodeToken takes nothing that encode would not have written.
func decodeToken(text []byte) (Token, error) {
	var s stored
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil || dec.More() {
		return Token{}, errDamaged
	}
	role, err := ParseRole(s.Role)
	hash, wrong := hex.DecodeString(s.Hash)
	if err != nil || wrong != nil || len(hash) != sha256.Size || !validName(s.Name) || strings.ContainsFunc(s.Tenant, control) {
		return Token{}, errDamaged
	}
	return Token{Name: s.Name, Tenant: s.Tenant, Role: role, Created: s.Created, Expires: s.Expires, hash: [sha256.Size]byte(hash)}, nil
}

func control(r rune) bool { return r < ' ' || r == 0x7f }
