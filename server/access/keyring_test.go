package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
)

// callerName returns the name, tenant and role of the caller whose token is the given secret, or "nobody".
func callerName(t *testing.T, k *access.Keyring, secret string) string {
	t.Helper()
	c, known, err := k.Who(secret)
	check(t, err)
	if !known {
		return "nobody"
	}
	return c.Name + " of " + c.Tenant + ": " + c.Role.String()
}

func TestASecretIdentifiesItsTenantAndRole(t *testing.T) {
	d := newFixture(t)
	k := d.keyring("red")
	first, _, err := access.First(d.state)
	check(t, err)
	reader := d.create(access.Token{Name: "reader", Tenant: "blue", Role: access.Read})
	for secret, want := range map[string]string{
		first: "owner of red: admin", reader: "reader of blue: read", "": "nobody", "x" + reader: "nobody",
		reader[:20]: "nobody",
	} {
		if got := callerName(t, k, secret); got != want {
			t.Errorf("%q: got %s, want %s", secret, got, want)
		}
	}
}

func TestTheKeyringSeesNewAndRevokedTokensAtOnce(t *testing.T) {
	d := newFixture(t)
	k := d.keyring("")
	for range 50 {
		secret := d.create(access.Token{Name: "short", Role: access.Decide})
		if got := callerName(t, k, secret); got != "short of : decide" {
			t.Fatal(got)
		}
		check(t, d.tokens.Revoke("", "short"))
		if got := callerName(t, k, secret); got != "nobody" {
			t.Fatal(got)
		}
	}
}

func TestATokenExpires(t *testing.T) {
	d := newFixture(t)
	k := d.keyring("")
	secret := d.create(access.Token{Name: "short", Role: access.Read, Expires: d.now.Add(time.Hour)})
	d.now = d.now.Add(time.Hour - time.Second)
	if got := callerName(t, k, secret); got != "short of : read" {
		t.Error(got)
	}
	d.now = d.now.Add(time.Second)
	if got := callerName(t, k, secret); got != "nobody" {
		t.Error(got)
	}
}

func TestADamagedTokenAdmitsNobodyAndIsListed(t *testing.T) {
	for name, damage := range map[string]func(text string) string{
		"empty":           func(string) string { return "" },
		"truncated":       func(text string) string { return text[:len(text)/2] },
		"another name":    func(text string) string { return strings.Replace(text, `"ci"`, `"cd"`, 1) },
		"another tenant":  func(text string) string { return strings.Replace(text, `"role"`, `"tenant":"x","role"`, 1) },
		"an unknown role": func(text string) string { return strings.Replace(text, `"decide"`, `"root"`, 1) },
		"a further field": func(text string) string { return strings.Replace(text, `"role"`, `"scope":1,"role"`, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			secret := d.create(access.Token{Name: "ci", Role: access.Decide})
			file := d.files()[0]
			text, err := os.ReadFile(file)
			check(t, err)
			check(t, os.WriteFile(file, []byte(damage(string(text))), 0o600))
			if got := callerName(t, d.keyring(""), secret); got != "nobody" {
				t.Error(got)
			}
			list, err := d.tokens.List("")
			check(t, err)
			if len(list) != 1 || list[0].Name != "ci" ||
				!strings.Contains(list[0].Damage, "revoke the token and make a new one") {
				t.Errorf("%+v", list)
			}
		})
	}
}

func TestOnlyTheOwnerIsKnownIfTokensCannotBeRead(t *testing.T) {
	d := newFixture(t)
	k := d.keyring("")
	secret := d.create(access.Token{Name: "ci", Role: access.Decide})
	first, _, err := access.First(d.state)
	check(t, err)
	check(t, os.RemoveAll(filepath.Dir(d.files()[0])))
	for secret, want := range map[string]bool{secret: false, first: true} {
		if _, known, err := k.Who(secret); known != want || err == nil {
			t.Errorf("known %v, %v", known, err)
		}
	}
}

func TestAChangedFirstTokenAppliesAtOnce(t *testing.T) {
	d := newFixture(t)
	k := d.keyring("")
	old, path, err := access.First(d.state)
	check(t, err)
	renewed := strings.Repeat("n", 40)
	check(t, os.WriteFile(path, []byte(renewed+"\n"), 0o600))
	if callerName(t, k, old) != "nobody" || callerName(t, k, renewed) != "owner of : admin" {
		t.Error("the old token is still valid")
	}
}
