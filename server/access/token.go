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

// Token lets a caller use the server. Its secret is shown only once. The server stores only the hash of the secret.
type Token struct {
	Name    string
	Tenant  string
	Role    Role
	Created time.Time
	// Expires is the time at which the token expires. The zero time means that it never expires.
	Expires time.Time
	// Damage says why the token's file cannot be used. It is empty if the file is fine.
	Damage string

	hash [sha256.Size]byte
}

// Expired reports whether the token has expired.
func (t *Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// secretSize is the number of random bytes in a secret. Every secret begins with secretPrefix, so tools that search for
// leaked secrets recognize it.
const (
	secretSize   = 32
	secretPrefix = "gr_"
)

func newSecret() string {
	random := make([]byte, secretSize)
	_, _ = rand.Read(random) // never returns an error: if it fails, the program ends
	return secretPrefix + base64.RawURLEncoding.EncodeToString(random)
}

type stored struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant,omitempty"`
	Role    string    `json:"role"`
	Hash    string    `json:"sha256"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
}

func (t *Token) encode() ([]byte, error) {
	text, err := json.Marshal(stored{
		t.Name, t.Tenant, t.Role.String(), hex.EncodeToString(t.hash[:]), t.Created,
		t.Expires,
	})
	return append(text, '\n'), err
}

// errDamaged is returned for a token file that this package cannot have written.
var errDamaged = errors.New("is damaged; revoke the token and make a new one")

// decodeToken decodes a token. It accepts only text that encode() can write.
func decodeToken(text []byte) (Token, error) {
	var s stored
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil || dec.More() {
		return Token{}, errDamaged
	}
	role, err := ParseRole(s.Role)
	hash, wrong := hex.DecodeString(s.Hash)
	if err != nil || wrong != nil || len(hash) != sha256.Size || !ValidName(s.Name) ||
		strings.ContainsFunc(s.Tenant, control) {
		return Token{}, errDamaged
	}
	return Token{
		Name: s.Name, Tenant: s.Tenant, Role: role, Created: s.Created, Expires: s.Expires,
		hash: [sha256.Size]byte(hash),
	}, nil
}

func control(r rune) bool { return r < ' ' || r == 0x7f }
