package doctor

import (
	"context"
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

// keeper is a user with a project and perhaps a store.
type keeper struct {
	t    *testing.T
	base string
}

func (k *keeper) env(name string) string {
	return map[string]string{
		"HOME": k.base, "GUARDRAILS_CACHE_DIR": filepath.Join(k.base, "run"), "GUARDRAILS_TENANT": "acme", "CLAUDE_PROJECT_DIR": filepath.Join(k.base, "project"),
	}[name]
}

func (k *keeper) open(ctx context.Context, c *config.Config) (*live.Store, error) {
	return open.Open(ctx, c, open.Options{Env: k.env, Now: time.Now})
}

// used is a store that hooks have read.
func (k *keeper) used() (file string) {
	k.t.Helper()
	file = k.store()
	s := service.New(service.Options{Env: k.env, Now: time.Now, Dir: filepath.Join(k.base, "project"), Open: k.open})
	if _, err := s.GetContext(k.t.Context(), service.Request{Hook: true}); err != nil {
		k.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		k.t.Fatal(err)
	}
	return file
}

func (k *keeper) remove(file string) {
	k.t.Helper()
	if err := os.RemoveAll(filepath.Dir(file)); err != nil {
		k.t.Fatal(err)
	}
}

// store makes the default store with one guideline of the project's tenant.
func (k *keeper) store() (file string) {
	k.t.Helper()
	return k.fill("acme")
}

// fill adds a guideline to the default store, which is made if it is not there.
func (k *keeper) fill(tenant string) (file string) {
	k.t.Helper()
	c, err := open.Open(k.t.Context(), &config.Config{}, open.Options{Env: k.env, Now: time.Now, Make: true})
	if err == nil {
		_, err = c.For(live.Caller{Tenant: tenant, Actor: "ann"}).Create(k.t.Context(), guideline.Guideline{
			ID: "one", Name: "one", Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
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

// found is what is said of the store and the spool.
func (k *keeper) found() string {
	x := &Examination{Options: Options{Env: k.env, Now: time.Now, Open: k.open}, root: filepath.Join(k.base, "project")}
	x.checkStore(k.t.Context())
	var out []string
	for _, c := range x.Checks {
		out = append(out, c.Name+" "+string(c.State)+" "+strings.ReplaceAll(c.Detail+"; "+c.Remedy, k.base, "~"))
	}
	return strings.Join(out, "\n")
}

func TestTheStoreAndTheSpoolAreLinksOfTheChain(t *testing.T) {
	const nothing = "spool ok no records wait for the audit; "
	record := func(k *keeper, text string) {
		if err := spool.Append(filepath.Join(k.base, ".local", "state", "guardrails"), time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		prepare func(k *keeper)
		want    string
	}{
		"none":       {func(*keeper) {}, "store ok none: packs and files apply, and records wait for a store; guardrails init creates one; \n" + nothing},
		"a good one": {func(k *keeper) { k.store() }, "store ok sqlite:~/.local/share/guardrails/guardrails.db: 1 guideline of the tenant acme; \n" + nothing},
		"a damaged one": {func(k *keeper) {
			if err := os.WriteFile(k.store(), []byte(strings.Repeat("none ", 2000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is damaged or not a database"},
		"one that is gone":       {func(k *keeper) { k.remove(k.used()) }, "store broken the database sqlite:~/.local/share/guardrails/guardrails.db with guidelines of this project is gone; put it back, or make a new one with guardrails init; " + untilItAnswers},
		"one that was made anew": {func(k *keeper) { k.remove(k.used()); k.fill("acme-labs") }, "store broken the store sqlite:~/.local/share/guardrails/guardrails.db is another one or an older copy: of the 1 change of guidelines that hooks saw in it, it counts 0; "},
		"records that wait":      {func(k *keeper) { k.store(); record(k, `{"kind":"decision"}`); record(k, `{"kind":"decision"}`) }, "spool ok 2 records, the first from 2026-02-05, wait until a server or guardrails audit adds them to the audit; "},
	} {
		t.Run(name, func(t *testing.T) {
			k := &keeper{t, t.TempDir()}
			c.prepare(k)
			if got := k.found(); !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
