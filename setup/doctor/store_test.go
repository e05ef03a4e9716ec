package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/spool"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/open"
)

// user is a user of this product with a project and, in some tests, a store.
type user struct {
	t    *testing.T
	base string
}

func (k *user) env(name string) string {
	return map[string]string{
		"HOME": k.base, "GUARDRAILS_CACHE_DIR": filepath.Join(k.base, "run"), "GUARDRAILS_TENANT": "acme", "CLAUDE_PROJECT_DIR": filepath.Join(k.base, "project"),
	}[name]
}

func (k *user) open(ctx context.Context, c *config.Config) (*live.Store, error) {
	return open.Open(ctx, c, open.Options{Env: k.env, Now: time.Now})
}

// usedStore creates the default store and reads it once, as a hook of the project does.
func (k *user) usedStore() (file string) {
	k.t.Helper()
	return k.storeUsedBy("project")
}

// storeUsedBy creates the default store and reads it once, as a hook of a project in the given folder does.
func (k *user) storeUsedBy(folder string) (file string) {
	k.t.Helper()
	file = k.store()
	s := service.New(service.Options{Env: k.env, Now: time.Now, Dir: filepath.Join(k.base, "project"), Open: k.open})
	if _, err := s.GetContext(k.t.Context(), service.Request{Hook: true, Project: filepath.Join(k.base, folder)}); err != nil {
		k.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		k.t.Fatal(err)
	}
	return file
}

func (k *user) remove(file string) {
	k.t.Helper()
	if err := os.RemoveAll(filepath.Dir(file)); err != nil {
		k.t.Fatal(err)
	}
}

// store() creates the default store with one guideline of the project's tenant.
func (k *user) store() (file string) {
	k.t.Helper()
	return k.fill("acme")
}

// fill() adds a guideline to the default store. It creates the store if necessary.
func (k *user) fill(tenant string) (file string) {
	k.t.Helper()
	c, err := open.Open(k.t.Context(), &config.Config{}, open.Options{Env: k.env, Now: time.Now, Make: true})
	if err == nil {
		_, err = c.For(live.Caller{Tenant: tenant, Actor: "ann"}).Create(k.t.Context(), guideline.Guideline{
			ID: "one", Name: "one", Enabled: true, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
		})
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.TrimPrefix(c.Location(), "sqlite:")
}

func (k *user) turnOff(tenant, id string) {
	k.t.Helper()
	c, err := k.open(k.t.Context(), &config.Config{})
	if err == nil {
		_, err = c.For(live.Caller{Tenant: tenant, Actor: "ann"}).Toggle(k.t.Context(), live.Ref{ID: id, Version: 1})
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *user) report() string {
	x := &Examination{Options: Options{Env: k.env, Now: time.Now, Open: k.open}, root: filepath.Join(k.base, "project")}
	x.checkStore(k.t.Context())
	var out []string
	for _, c := range x.Checks {
		out = append(out, c.Name+" "+string(c.State)+" "+strings.ReplaceAll(c.Detail+"; "+c.Remedy, k.base, "~"))
	}
	return strings.Join(out, "\n")
}

func TestTenantsThatWereNotCheckedAreReported(t *testing.T) {
	k := &user{t, t.TempDir()}
	for _, tenant := range []string{"blue", "red"} {
		k.fill(tenant)
	}
	project := filepath.Join(k.base, "project")
	s := service.New(service.Options{Env: k.env, Now: time.Now, Dir: project, Open: k.open})
	defer func() { _ = s.Close() }()
	if _, _, err := s.Owner(t.Context()); err != nil {
		t.Fatal(err)
	}
	x := &Examination{Options: Options{Env: k.env, Now: time.Now, Open: k.open}, root: project}
	if x.checkOtherTenants(t.Context(), s); len(x.Checks) > 0 {
		t.Errorf("%+v", x.Checks)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	x.checkOtherTenants(ended, s)
	if len(x.Checks) != 1 || x.Checks[0].State != Warning || !strings.Contains(x.Checks[0].Detail, ": 2 other tenants") {
		t.Errorf("%+v", x.Checks)
	}
}

func TestStoreAndSpoolAreChecked(t *testing.T) {
	const nothing = "spool ok all records are in the audit; "
	const decision = `{"kind":"decision"}`
	record := func(k *user, at time.Time) {
		if err := spool.Append(filepath.Join(k.base, ".local", "state", "guardrails"), at, []byte(decision)); err != nil {
			t.Fatal(err)
		}
	}
	now, old := time.Now(), time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
	today := now.UTC().Format(time.DateOnly)
	for name, c := range map[string]struct {
		prepare func(k *user)
		want    string
	}{
		"no store":     {func(*user) {}, "store ok there is no store. The guidelines of packs and files apply, and records are kept for 30 days, or until there is a store. To create one, run: guardrails init; \n" + nothing},
		"a good store": {func(k *user) { k.store() }, "store ok sqlite:~/.local/share/guardrails/guardrails.db: 1 guideline of the tenant acme; this project is ~/project; \n" + nothing},
		"a guideline that somebody turned off": {
			func(k *user) { k.store(); k.turnOff("acme", "one") },
			"1 guideline of the tenant acme; this project is ~/project; \nturned off warning one; to see who turned a guideline off, run: guardrails history ID; to turn it on again, run: guardrails toggle ID\n" + nothing,
		},
		"a damaged store": {func(k *user) {
			if err := os.WriteFile(k.store(), []byte(strings.Repeat("none ", 2000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is damaged or not a database"},
		"a deleted store": {
			func(k *user) { k.remove(k.usedStore()) },
			"store broken lost: the database sqlite:~/.local/share/guardrails/guardrails.db with guidelines of this " +
				"project does not exist; restore it, or create a new one with guardrails init; " + untilFixed,
		},
		"a deleted store that only another project used": {
			func(k *user) { k.remove(k.storeUsedBy("other")) },
			"there is no store. The guidelines of packs and files apply, and records are kept until there is a store. ",
		},
		"a store created again": {func(k *user) { k.remove(k.usedStore()); k.fill("acme-labs") }, "store broken older: the store sqlite:~/.local/share/guardrails/guardrails.db is a different one or an older copy: hooks have seen 1 change to guidelines in it, but it has only 0; "},
		"another tenant lacks changes": {
			func(k *user) {
				file := k.store()
				old, err := os.ReadFile(file)
				k.fill("blue")
				if err = errors.Join(err, os.WriteFile(file, old, 0o600), os.RemoveAll(file+"-wal")); err != nil {
					t.Fatal(err)
				}
			},
			"; this project is ~/project; \ntenant \"blue\" broken older: the store sqlite:~/.local/share/guardrails/guardrails.db is a " +
				"different one or an older copy: its audit lacks entry 1 of the changes",
		},
		"waiting records": {
			func(k *user) { k.store(); record(k, now); record(k, now) },
			"spool ok 2 records not yet in the audit, the oldest from " + today + "; a server or the next prompt adds them; " +
				"to add them now, run: guardrails audit list; ",
		},
		"records that wait for longer than a day": {
			func(k *user) { k.store(); record(k, old); record(k, now) },
			"spool warning 2 records not yet in the audit, the oldest from 2026-02-05; they have 1 MB and stay there until " +
				"the store accepts them; to see why they wait, run: guardrails audit list",
		},
		"many records": {
			func(k *user) {
				k.store()
				record(k, now)
				err := os.Truncate(filepath.Join(k.base, ".local", "state", "guardrails", "spool", today+".jsonl"), 101<<20)
				if err != nil {
					t.Fatal(err)
				}
			},
			"they have 101 MB and stay there",
		},
		"old records and no store": {
			func(k *user) { record(k, old) },
			"spool ok 1 record not yet in the audit, the oldest from 2026-02-05; they wait for a store; ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := &user{t, t.TempDir()}
			c.prepare(k)
			if got := k.report(); !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
