package notedheads

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// The key files are in the folder of the notes. Each key has its own file with its public part. Only the newest key
// also has a file with its private part. The private part of a new key replaces the content of this file.
const (
	privateFile  = "signing-key"
	publicPrefix = "public-"
	maxKeyFile   = 4096
)

// Key is the public part of a key that signs notes.
type Key struct {
	ID      string            `json:"id"`
	Public  ed25519.PublicKey `json:"public_key"`
	Created time.Time         `json:"created"`
	// Replaced is the time when the next key was made. For the newest key, it is zero. A signature that was made later
	// than Replaced is not valid.
	Replaced time.Time `json:"replaced,omitzero"`
}

// Keys are all keys, the oldest first.
type Keys []Key

// errNoKey means that the private key is missing although notes were signed.
var errNoKey = errors.New("the key that signs the heads of the audit is missing")

// Keys returns the public keys, the oldest first.
func (b *Book) Keys() (Keys, error) {
	dir, err := b.dir()
	if err != nil {
		return nil, err
	}
	return readKeys(dir)
}

func readKeys(dir *private.Dir) (out Keys, err error) {
	files, err := dir.List(publicPrefix)
	if err != nil {
		return nil, err
	}
	for _, file := range files { // sorted by name, so the oldest key comes first
		text, err := dir.Read(file, maxKeyFile)
		if err != nil {
			return nil, err
		}
		var k Key
		if json.Unmarshal(text, &k) != nil || len(k.Public) != ed25519.PublicKeySize || k.ID != keyID(k.Public) {
			return nil, fmt.Errorf("%s is damaged; restore it from a copy", dir.Path(file))
		}
		if len(out) > 0 {
			out[len(out)-1].Replaced = k.Created
		}
		out = append(out, k)
	}
	return out, nil
}

func keyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// MakeKey makes a new key in a state folder. The key signs the notes from now on. If there is a key already, the
// parameter "replace" must be true. The public parts of earlier keys stay. Notes that were signed with these keys
// therefore stay valid.
func MakeKey(state string, now time.Time, replace bool) (Key, error) {
	dir, err := private.Open(filepath.Join(state, product.AuditFolder))
	if err != nil {
		return Key{}, err
	}
	keys, err := readKeys(dir)
	if err != nil {
		return Key{}, err
	}
	if len(keys) > 0 && !replace {
		return Key{}, fmt.Errorf("there is a key already, %s; pass --rotate to replace it", keys[len(keys)-1].ID)
	}
	public, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Key{}, err
	}
	k := Key{ID: keyID(public), Public: public, Created: now.UTC().Truncate(time.Millisecond)}
	text, err := json.Marshal(k)
	if err != nil {
		return Key{}, err
	}
	name := fmt.Sprintf("%s%06d-%s.json", publicPrefix, len(keys)+1, k.ID)
	if err := dir.Create(name, append(text, '\n')); err != nil {
		return Key{}, err
	}
	return k, dir.Write(privateFile, []byte(base64.StdEncoding.EncodeToString(secret.Seed())+"\n"))
}

// sign() signs a note with the newest key. Without a key, it does nothing.
func (k Keys) sign(dir *private.Dir, n *Note) error {
	if len(k) == 0 {
		return nil
	}
	newest := k[len(k)-1]
	text, err := dir.Read(privateFile, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: restore %s, or run guardrails audit key --rotate", errNoKey, dir.Path(privateFile))
	}
	if err != nil {
		return err
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return fmt.Errorf("%s is damaged; run guardrails audit key --rotate", dir.Path(privateFile))
	}
	secret := ed25519.NewKeyFromSeed(seed)
	if !bytes.Equal(secret.Public().(ed25519.PublicKey), newest.Public) {
		return fmt.Errorf("%s does not belong to the key %s; run guardrails audit key --rotate",
			dir.Path(privateFile), newest.ID)
	}
	n.Key = newest.ID
	signed, err := n.signed()
	n.Signature = ed25519.Sign(secret, signed)
	return err
}

// check() returns what is wrong with the signature of a note, or "".
func (k Keys) check(n *Note) string {
	if len(n.Signature) == 0 {
		if len(k) > 0 && n.At.After(k[0].Created) {
			return "is not signed, although there was a key"
		}
		return ""
	}
	for i := range k {
		if k[i].ID != n.Key {
			continue
		}
		signed, err := n.signed()
		switch {
		case err != nil || !ed25519.Verify(k[i].Public, signed, n.Signature):
			return "has a wrong signature"
		case !k[i].Replaced.IsZero() && n.At.After(k[i].Replaced):
			return "is signed with the key " + n.Key + ", which had already been replaced at that time"
		}
		return ""
	}
	return "is signed with the unknown key " + n.Key
}

// signed() returns the text that the signature covers: the note without the signature.
func (n *Note) signed() ([]byte, error) {
	bare := *n
	bare.Signature = nil
	return json.Marshal(bare)
}
