package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"guardrails/internal/private"
)

// Keyring knows whom tokens belong to. It sees at once when one is made or revoked.
type Keyring struct {
	state  *private.Dir
	tokens *Tokens
	tenant string
	now    func() time.Time

	mu    sync.Mutex
	first [sha256.Size]byte
	known []Token
	// read is when the tokens were read, stamp what the folder's time was then.
	read, stamp time.Time
}

// Owner is the name of who has the first token.
const Owner = "owner"

// OpenKeyring opens the tokens of a state folder; the first one is made when it is missing, and is the tenant's. The path
// is where the first one lies.
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

// Reload reads every token anew, the first one too.
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

// Who is the caller that knows a secret. How long it takes says nothing about any secret. The error is why tokens cannot
// be read; nobody but the owner is known then.
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

// settled is how long ago a folder must have changed before its time tells of every further change.
const settled = 2 * time.Second

// refresh reads the tokens again when their folder is another than it was.
func (k *Keyring) refresh() error {
	stamp, err := k.tokens.stamp()
	if err != nil {
		k.known, k.read = nil, time.Time{}
		return err
	}
	if stamp.Equal(k.stamp) && k.read.Sub(stamp) > settled {
		return nil
	}
	before := time.Now() // as the file system's clock has it
	k.known, err = k.tokens.read("")
	k.stamp, k.read = stamp, before
	return err
}
