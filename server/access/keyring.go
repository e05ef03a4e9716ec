package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"guardrails/internal/private"
)

// Keyring finds the callers for tokens. It notices at once when a token is made or revoked.
type Keyring struct {
	state  *private.Dir
	tokens *Tokens
	tenant string
	now    func() time.Time

	mu    sync.Mutex
	first [sha256.Size]byte
	known []Token
	// read is when the tokens were read; stamp is the folder's modification time at that moment.
	read, stamp time.Time
}

// Owner is the name of the caller with the first token.
const Owner = "owner"

// OpenKeyring opens the tokens of a state folder. The first token belongs to the tenant; it is made if it is missing.
// path is the path of the first token's file.
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

// Reload reads every token again, including the first one.
func (k *Keyring) Reload() error {
	first, _, err := First(k.state)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.first, k.read = sha256.Sum256([]byte(first)), time.Time{}
	return nil
}

// Who returns the caller with a secret. Its run time reveals nothing about any secret. If the tokens cannot be read, it
// finds only the owner, and the error says why.
func (k *Keyring) Who(secret string) (c Caller, known bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	err = k.refresh()
	got := sha256.Sum256([]byte(secret))
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

// settled is how old a folder's last change must be before its modification time can be trusted: two changes in quick
// succession can have the same time.
const settled = 2 * time.Second

// refresh reads the tokens again when their folder has changed.
func (k *Keyring) refresh() error {
	stamp, err := k.tokens.stamp()
	if err != nil {
		k.known, k.read = nil, time.Time{}
		return err
	}
	if stamp.Equal(k.stamp) && k.read.Sub(stamp) > settled {
		return nil
	}
	before := time.Now() // the file system uses this clock, too
	k.known, err = k.tokens.read("")
	k.stamp, k.read = stamp, before
	return err
}
