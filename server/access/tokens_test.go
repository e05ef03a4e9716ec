package access_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server/access"
)

type fixture struct {
	t      *testing.T
	state  *private.Dir
	tokens *access.Tokens
	now    time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state")
	state, err := private.Open(path)
	check(t, err)
	d := &fixture{t: t, state: state, now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)}
	d.tokens, err = access.OpenTokens(path, d.clock)
	check(t, err)
	return d
}

func (d *fixture) clock() time.Time { return d.now }

func (d *fixture) keyring(tenant string) *access.Keyring {
	d.t.Helper()
	k, _, err := access.OpenKeyring(d.state, tenant, d.clock)
	check(d.t, err)
	return k
}

func (d *fixture) create(token access.Token) string {
	d.t.Helper()
	secret, err := d.tokens.Create(token)
	check(d.t, err)
	return secret
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) files() []string {
	d.t.Helper()
	files, err := filepath.Glob(d.state.Path(product.TokensFolder + "/*"))
	check(d.t, err)
	return files
}

func TestATokenFileIsPrivateAndContainsOnlyTheHash(t *testing.T) {
	d := newFixture(t)
	secret := d.create(access.Token{Name: "ci", Role: access.Decide})
	files := d.files()
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	info, err := os.Stat(files[0])
	check(t, err)
	text, err := os.ReadFile(files[0])
	check(t, err)
	if info.Mode() != 0o600 || len(secret) < 40 || strings.Contains(string(text), secret[3:20]) {
		t.Errorf("%v %s", info.Mode(), text)
	}
}

func TestListReturnsTheTokensOfOneTenantByName(t *testing.T) {
	d := newFixture(t)
	end := d.now.Add(time.Hour)
	d.create(access.Token{Name: "b", Tenant: "red", Role: access.Read})
	d.create(access.Token{Name: "a", Tenant: "red", Role: access.Admin, Expires: end})
	d.create(access.Token{Name: "a", Tenant: "blue", Role: access.Write})
	list, err := d.tokens.List("red")
	check(t, err)
	if len(list) != 2 || list[0].Name != "a" || list[0].Role != access.Admin || !list[0].Expires.Equal(end) ||
		!list[0].Created.Equal(d.now) || list[1].Name != "b" {
		t.Errorf("%+v", list)
	}
}

func TestInvalidTokensAreRefused(t *testing.T) {
	d := newFixture(t)
	d.create(access.Token{Name: "taken", Role: access.Read})
	for name, c := range map[string]struct {
		token access.Token
		want  string
	}{
		"no name": {access.Token{Role: access.Read}, "cannot be the name of a token"},
		"a path":  {access.Token{Name: "../x", Role: access.Read}, "cannot be the name of a token"},
		"no role": {access.Token{Name: "a"}, "needs a role; use read, decide, write, admin"},
		"a name in use": {
			access.Token{Name: "taken", Role: access.Read},
			"the token taken already exists; revoke it first",
		},
		"an expired token": {access.Token{Name: "a", Role: access.Read, Expires: d.now}, "would already have expired"},
	} {
		if _, err := d.tokens.Create(c.token); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := d.tokens.Revoke("", "none"); err == nil || !strings.Contains(err.Error(), "there is no token none") {
		t.Error(err)
	}
	if err := d.tokens.Revoke("other", "taken"); err == nil {
		t.Error("a token of another tenant was revoked")
	}
}

func TestConcurrentCreatesOfOneNameMakeOneToken(t *testing.T) {
	d := newFixture(t)
	var creating sync.WaitGroup
	made := make(chan string, 20)
	for range 20 {
		creating.Go(func() {
			if secret, err := d.tokens.Create(access.Token{Name: "one", Role: access.Read}); err == nil {
				made <- secret
			}
		})
	}
	creating.Wait()
	if len(made) != 1 {
		t.Errorf("%d tokens", len(made))
	}
}

func TestTheFirstTokenIsPrivateAndCreatedOnce(t *testing.T) {
	dir := newFixture(t).state
	first, path, err := access.First(dir)
	check(t, err)
	again, _, err := access.First(dir)
	check(t, err)
	info, err := os.Stat(path)
	check(t, err)
	if first != again || len(first) < 32 || info.Mode() != 0o600 {
		t.Errorf("%q, then %q, %v", first, again, info.Mode())
	}
	for _, text := range []string{"", "short\n", strings.Repeat("x", 40) + " " + "y"} {
		check(t, os.WriteFile(path, []byte(text), 0o600))
		if got, _, err := access.First(dir); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q was accepted as %q", text, got)
		}
	}
	check(t, os.Remove(path))
	check(t, os.Symlink("/etc/hostname", path))
	if _, _, err := access.First(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link was followed: %v", err)
	}
}
