package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"sync"
	"time"

	"guardrails/internal/private"
)

// Keyring finds the caller for a token. It notices immediately when somebody makes or revokes a token, or changes the
// first token.
type Keyring struct {
	state  *private.Dir
	tokens *Tokens
	tenant string
	now    func() time.Time

	mu    sync.Mutex
	first [sha256.Size]byte
	known []Token
	// The field "read" is the time at which the tokens were last read. The field "stamp" is the modification time that
	// their folder had then.
	read, stamp time.Time
}

// Owner is the name of the caller with the first token.
const Owner = "owner"

// OpenKeyring reads the tokens in a state folder. If the first token is missing, OpenKeyring makes it for the given
// tenant. The result "path" is the path of the first token's file.
func OpenKeyring(state *private.Dir, tenant string, now func() time.Time) (k *Keyring, path string, err error) {
	first, path, err := First(state)
	if err != nil {
		return nil, path, err
	}
	tokens, err := OpenTokens(state.Path("."), now)
	if err != nil {
		return nil, path, err
	}
	return &Keyring{state: state, tokens: tokens, tenant: tenant, now: now, first: sha256.Sum256([]byte(first))}, path, nil
}

// Tokens returns the tokens that people made.
func (k *Keyring) Tokens() *Tokens { return k.tokens }

// Who is a method that returns the caller whose token is the given secret. The time that a call takes reveals nothing
// about the tokens. If the tokens cannot be read, only the owner is found, and err says why the tokens cannot be read.
func (k *Keyring) Who(secret string) (c Caller, known bool, err error) {
	return k.holder(sha256.Sum256([]byte(secret)))
}

// owner() returns the hash of the first token.
func (k *Keyring) owner() [sha256.Size]byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refreshFirst() // the method Who reports the error
	return k.first
}

// holder() returns the caller whose token has the given hash.
func (k *Keyring) holder(got [sha256.Size]byte) (c Caller, known bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	err = errors.Join(k.refreshFirst(), k.refresh())
	if subtle.ConstantTimeCompare(got[:], k.first[:]) == 1 {
		c, known = Caller{Owner, k.tenant, Admin}, true
	}
	now := k.now()
	for i := range k.known {
		t := &k.known[i]
		if subtle.ConstantTimeCompare(got[:], t.hash[:]) == 1 && t.Damage == "" && !t.Expired(now) {
			c, known = Caller{t.Name, t.Tenant, t.Role}, true
		}
	}
	return c, known, err
}

// Tenants returns the tenants that have a token.
func (k *Keyring) Tenants() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh() // the method Who reports the error
	all := []string{k.tenant}
	for i := range k.known {
		if t := &k.known[i]; t.Damage == "" {
			all = append(all, t.Tenant)
		}
	}
	return all
}

// refreshFirst reads the first token again. If the token cannot be read, the previous first token stays valid.
func (k *Keyring) refreshFirst() error {
	first, _, err := First(k.state)
	if err == nil {
		k.first = sha256.Sum256([]byte(first))
	}
	return err
}

// The constant "settled" is how long to wait until the modification time of a folder can be trusted. If a folder
// changes twice in a short time, both changes may leave the same modification time.
const settled = 2 * time.Second

// refresh() reads the tokens again when their folder has changed.
func (k *Keyring) refresh() error {
	stamp, err := k.tokens.stamp()
	if err != nil {
		k.known, k.read = nil, time.Time{}
		return err
	}
	if stamp.Equal(k.stamp) && k.read.Sub(stamp) > settled {
		return nil
	}
	before := time.Now() // the file system sets modification times with this clock
	k.known, err = k.tokens.read("")
	k.stamp, k.read = stamp, before
	return err
}
