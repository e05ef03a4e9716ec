package access_test

import (
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

const port = "7117"

// newSessions returns the sessions of a server, and the owner's token.
func newSessions(d *fixture) (s *access.Sessions, owner string) {
	d.t.Helper()
	keys := d.keyring("red")
	owner, _, err := access.First(d.state)
	check(d.t, err)
	return access.NewSessions(keys, port, d.clock), owner
}

func TestASessionHasTheRoleOfItsTokenAndEndsWithIt(t *testing.T) {
	d := newFixture(t)
	s, _ := newSessions(d)
	secret := d.create(access.Token{Name: "reader", Tenant: "blue", Role: access.Read})
	opened, err := s.WithToken(secret)
	check(t, err)
	if opened.Caller != (access.Caller{Name: "reader", Tenant: "blue", Role: access.Read}) {
		t.Errorf("%+v", opened.Caller)
	}
	if found := s.Find(opened.Cookie); found == nil || found.Caller != opened.Caller {
		t.Fatalf("%+v", found)
	}
	for _, other := range []string{"", opened.Key, secret, opened.Cookie[:20], opened.Cookie + "x"} {
		if s.Find(other) != nil {
			t.Errorf("%q was accepted as the cookie", other)
		}
	}
	for key, want := range map[string]bool{opened.Key: true, "": false, opened.Cookie: false, opened.Key[1:]: false} {
		if opened.HasKey(key) != want {
			t.Errorf("%q as the key: want %v", key, want)
		}
	}
	check(t, d.tokens.Revoke("blue", "reader"))
	if s.Find(opened.Cookie) != nil {
		t.Error("the session lasts longer than its token")
	}
	if _, err := s.WithToken(secret); err == nil {
		t.Error("a revoked token begins a session")
	}
}

func TestASessionEndsWhenItsTokenGetsOtherRights(t *testing.T) {
	d := newFixture(t)
	s, _ := newSessions(d)
	secret := d.create(access.Token{Name: "ci", Role: access.Read})
	opened, err := s.WithToken(secret)
	check(t, err)
	text, err := os.ReadFile(d.files()[0])
	check(t, err)
	check(t, os.WriteFile(d.files()[0], []byte(strings.Replace(string(text), `"read"`, `"admin"`, 1)), 0o600))
	if s.Find(opened.Cookie) != nil {
		t.Error("the session does not keep the rights that it began with")
	}
}

func TestASessionEndsByItselfAndBySigningOut(t *testing.T) {
	d := newFixture(t)
	s, owner := newSessions(d)
	begin := func() access.Opened {
		opened, err := s.WithToken(owner)
		check(t, err)
		return opened
	}
	idle, used, ended := begin(), begin(), begin()
	s.End(ended.Cookie)
	if s.Find(ended.Cookie) != nil || s.Find(used.Cookie) == nil {
		t.Error("signing out ended the wrong session")
	}
	for range 6 {
		d.now = d.now.Add(access.SessionIdle - time.Second)
		if d.now.Before(used.Expires) && s.Find(used.Cookie) == nil {
			t.Fatalf("a session in use ended at %v", d.now)
		}
	}
	if s.Find(idle.Cookie) != nil {
		t.Error("a session without requests goes on")
	}
	d.now = used.Expires
	if s.Find(used.Cookie) != nil {
		t.Error("a session lasts longer than its time")
	}
}

func TestTheLongestUnusedSessionOfATokenMakesRoom(t *testing.T) {
	d := newFixture(t)
	s, owner := newSessions(d)
	other, err := s.WithToken(d.create(access.Token{Name: "reader", Role: access.Read}))
	check(t, err)
	var all []access.Opened
	for range 40 {
		d.now = d.now.Add(time.Second)
		opened, err := s.WithToken(owner)
		check(t, err)
		all = append(all, opened)
	}
	if s.Find(all[0].Cookie) != nil {
		t.Error("the number of sessions has no limit")
	}
	if s.Find(all[len(all)-1].Cookie) == nil || s.Find(all[len(all)-2].Cookie) == nil || s.Find(other.Cookie) == nil {
		t.Error("a session ended that was used later, or that belongs to another caller")
	}
}

func TestACodeWorksOnceForItsPortUntilItExpires(t *testing.T) {
	d := newFixture(t)
	s, owner := newSessions(d)
	code := access.NewCode(owner, port, d.now)
	if strings.Contains(code, owner) {
		t.Error("the code contains the token")
	}
	altered := []byte(code)
	altered[30] ^= 1
	bytes, err := base64.RawURLEncoding.DecodeString(code)
	check(t, err)
	for name, wrong := range map[string]string{
		"nothing": "", "the token": owner, "half a code": code[:40], "a longer code": code + "AAAA", "an altered code": string(altered),
		"another writing of the code":  base64.URLEncoding.EncodeToString(bytes) + "==",
		"a code for another port":      access.NewCode(owner, "7118", d.now),
		"a code of another token":      access.NewCode(strings.Repeat("n", 40), port, d.now),
		"an old code":                  access.NewCode(owner, port, d.now.Add(-access.CodeTime-time.Second)),
		"a code from the future":       access.NewCode(owner, port, d.now.Add(time.Minute)),
		"a code with a line break":     code + "\n",
		"a proof in place of the code": s.Proof("guardrails"),
	} {
		if _, err := s.WithCode(wrong); !errors.Is(err, access.ErrUnknown) {
			t.Errorf("%s was accepted: %v", name, err)
		}
	}
	opened, err := s.WithCode(code)
	check(t, err)
	if opened.Caller != (access.Caller{Name: access.Owner, Tenant: "red", Role: access.Admin}) {
		t.Errorf("%+v", opened.Caller)
	}
	if _, err := s.WithCode(code); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("the code was accepted twice: %v", err)
	}
	d.now = d.now.Add(access.CodeTime)
	if _, err := s.WithCode(code); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("the code was accepted again at its end: %v", err)
	}
	if _, err := s.WithCode(access.NewCode(owner, port, d.now)); err != nil {
		t.Errorf("the next code: %v", err)
	}
}

func TestOnlyTheOwnersServerOnThisPortCanProveItself(t *testing.T) {
	d := newFixture(t)
	s, owner := newSessions(d)
	nonce := access.NewNonce()
	if !access.IsProof(owner, port, nonce, s.Proof(nonce)) {
		t.Error("the proof was not accepted")
	}
	other := newFixture(t)
	stranger, _ := newSessions(other)
	for name, answer := range map[string]string{
		"nothing": "", "the nonce": nonce, "an earlier answer": s.Proof(access.NewNonce()), "another server": stranger.Proof(nonce),
		"a server on another port": access.NewSessions(d.keyring("red"), "7118", d.clock).Proof(nonce),
	} {
		if access.IsProof(owner, port, nonce, answer) {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestACodeOfAnEarlierProcessIsRefused(t *testing.T) {
	d := newFixture(t)
	_, owner := newSessions(d)
	early := access.NewCode(owner, port, d.clock())
	d.now = d.now.Add(time.Second)
	s, _ := newSessions(d)
	if _, err := s.WithCode(early); err == nil {
		t.Error("the earlier process may know that the code was used")
	}
	if _, err := s.WithCode(access.NewCode(owner, port, d.clock())); err != nil {
		t.Error(err)
	}
}
