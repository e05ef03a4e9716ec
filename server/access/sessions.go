package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

// The limits of the sessions of browsers.
const (
	// SessionTime is how long a session lasts. SessionIdle is the time without a request after which a session ends.
	SessionTime = 12 * time.Hour
	SessionIdle = 2 * time.Hour

	maxSessions, ownSessions = 256, 32
)

// Session is the session of a browser. The session has the rights of the token with which the browser began it, and
// ends when this token is no longer valid.
type Session struct {
	Caller  Caller
	Expires time.Time

	token     [sha256.Size]byte
	key       [sha256.Size]byte
	lastAsked time.Time
}

// Opened is a new session. The browser keeps Cookie, and the page keeps Key. Both are secrets.
type Opened struct {
	*Session
	Cookie, Key string
}

// Sessions has the sessions of browsers. The sessions are in memory only, so they end with the process.
type Sessions struct {
	keys *Keyring
	port string
	now  func() time.Time
	// The field "began" is the time since which this process keeps sessions. A code that was made earlier is refused,
	// because this process does not know whether the code was already used.
	began time.Time

	mu       sync.Mutex
	byCookie map[[sha256.Size]byte]*Session
	// The map "used" holds the codes that were already used. A code stays in the map until it expires.
	used map[string]time.Time
}

// NewSessions returns the sessions for the callers of a keyring. The parameter "port" is the port of the server. A
// code is valid only for one port.
func NewSessions(keys *Keyring, port string, now func() time.Time) *Sessions {
	return &Sessions{
		keys: keys, port: port, now: now, began: now().Truncate(time.Millisecond),
		byCookie: map[[sha256.Size]byte]*Session{}, used: map[string]time.Time{},
	}
}

// The reasons why a session cannot begin.
var (
	ErrUnknown = errors.New("the code or token is wrong, was used before, or has expired; to get a new code, run: guardrails ui")
	ErrCrowded = errors.New("there are too many sessions; sign out in another browser, or try again later")
)

// WithToken begins a session for the caller that has the given token.
func (s *Sessions) WithToken(secret string) (Opened, error) {
	return s.begin(sha256.Sum256([]byte(secret)))
}

// WithCode begins a session for the owner, with a code that the owner has made. A code can be used only once.
func (s *Sessions) WithCode(code string) (Opened, error) {
	owner := s.keys.owner()
	expires, fits := checkCode(owner, s.port, code)
	now := s.now()
	s.mu.Lock()
	for used, until := range s.used {
		if now.After(until) {
			delete(s.used, used)
		}
	}
	_, again := s.used[code]
	usable := fits && !again && !now.After(expires) && !expires.After(now.Add(CodeTime+maxSkew)) &&
		!expires.Before(s.began.Add(CodeTime))
	if usable {
		s.used[code] = expires
	}
	s.mu.Unlock()
	if !usable {
		return Opened{}, ErrUnknown
	}
	return s.begin(owner)
}

// maxSkew limits how far the time in a code can be in the future. The limit is short, because the process that makes
// the code runs on the same computer as this process.
const maxSkew = time.Second

func (s *Sessions) begin(token [sha256.Size]byte) (Opened, error) {
	caller, known, _ := s.keys.holder(token) // the guard logs the error with the next request
	if !known {
		return Opened{}, ErrUnknown
	}
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	s.makeRoom(caller)
	if len(s.byCookie) >= maxSessions {
		return Opened{}, ErrCrowded
	}
	cookie, key := random(), random()
	one := &Session{
		Caller: caller, Expires: now.Add(SessionTime).UTC().Truncate(time.Second), token: token,
		key: sha256.Sum256([]byte(key)), lastAsked: now,
	}
	s.byCookie[sha256.Sum256([]byte(cookie))] = one
	return Opened{one, cookie, key}, nil
}

// If the caller already has the largest allowed number of sessions, makeRoom ends the session that the caller has not
// used for the longest time. A browser that signs in again has forgotten its earlier session, so it cannot end that
// session itself. s.mu must be held.
func (s *Sessions) makeRoom(caller Caller) {
	own := 0
	var oldest [sha256.Size]byte
	for hash, one := range s.byCookie {
		if one.Caller != caller {
			continue
		}
		if own == 0 || one.lastAsked.Before(s.byCookie[oldest].lastAsked) {
			oldest = hash
		}
		own++
	}
	if own >= ownSessions {
		delete(s.byCookie, oldest)
	}
}

func random() string {
	bytes := make([]byte, secretSize)
	_, _ = rand.Read(bytes) // never returns an error: if it fails, the program ends
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// Find returns the session that belongs to a cookie. It returns nil if the session has ended, or if its token is no
// longer valid. Find looks the cookie up by its hash, so the time that Find takes reveals nothing about other cookies.
func (s *Sessions) Find(cookie string) *Session {
	hash, now := sha256.Sum256([]byte(cookie)), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byCookie[hash]
	if one == nil {
		return nil
	}
	if one.ended(now) || !s.isCurrent(one) {
		delete(s.byCookie, hash)
		return nil
	}
	one.lastAsked = now
	return one
}

// isCurrent reports whether the token of a session is still valid and has the same rights as when the session began.
func (s *Sessions) isCurrent(one *Session) bool {
	caller, known, _ := s.keys.holder(one.token) // the guard logs the error with the next request
	return known && caller == one.Caller
}

// End ends the session that belongs to a cookie.
func (s *Sessions) End(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byCookie, sha256.Sum256([]byte(cookie)))
}

// sweep() removes the sessions that have ended. s.mu must be held.
func (s *Sessions) sweep(now time.Time) {
	for hash, one := range s.byCookie {
		if one.ended(now) {
			delete(s.byCookie, hash)
		}
	}
}

func (one *Session) ended(now time.Time) bool {
	return !now.Before(one.Expires) || now.Sub(one.lastAsked) > SessionIdle
}

// HasKey reports whether a text is the key of the session.
func (one *Session) HasKey(key string) bool {
	hash := sha256.Sum256([]byte(key))
	return subtle.ConstantTimeCompare(hash[:], one.key[:]) == 1
}

// Proof returns a text that proves to the program guardrails that this server has the owner's token. The text does not
// reveal the token.
func (s *Sessions) Proof(nonce string) string { return proof(s.keys.owner(), s.port, nonce) }
