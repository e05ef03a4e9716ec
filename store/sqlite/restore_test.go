package sqlite_test

import (
	"context"
	"database/sql"
	"testing"

	driver "modernc.org/sqlite"

	"guardrails/store"
	"guardrails/store/sqlite"
)

// restoreInto copies a backup into a database that other connections have open, as sqlite3's command .restore does.
func restoreInto(t *testing.T, path, backup string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		b, err := c.(interface {
			NewRestore(source string) (*driver.Backup, error)
		}).NewRestore(backup)
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return join(err, b.Finish())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func createFor(t *testing.T, s store.Store, tenant, id string) {
	t.Helper()
	w := newWrite()
	w.Tenant = tenant
	if _, err := s.Create(t.Context(), w, small(id)); err != nil {
		t.Fatal(err)
	}
}

func idsOf(t *testing.T, s store.Store, tenant string) (ids []string) {
	t.Helper()
	set, err := s.All(context.Background(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Guidelines {
		ids = append(ids, set.Guidelines[i].ID)
	}
	return ids
}

// In a file, a tenant is a number. After a restore, another tenant can have that number.
func TestTenantsStaySeparateAfterABackupIsRestoredIntoTheOpenFile(t *testing.T) {
	for name, write := range map[string]func(t *testing.T, s store.Store){
		"a tenant of later reads":  func(*testing.T, store.Store) {},
		"a tenant of later writes": func(t *testing.T, s store.Store) { createFor(t, s, "late", "again") },
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			defer s.Close()
			createFor(t, s, "early", "one")
			raw(t, path, "VACUUM INTO '"+path+".backup'")
			createFor(t, s, "late", "two")
			idsOf(t, s, "late")
			restoreInto(t, path, path+".backup")
			other, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			createFor(t, other, "other", "secret")
			write(t, s)
			for tenant, want := range map[string]string{"early": "one", "other": "secret"} {
				if got := idsOf(t, s, tenant); len(got) != 1 || got[0] != want {
					t.Errorf("%s has %v, want %s", tenant, got, want)
				}
			}
			for _, id := range idsOf(t, s, "late") {
				if id == "secret" {
					t.Error("a tenant sees the guideline of another one")
				}
			}
		})
	}
}
