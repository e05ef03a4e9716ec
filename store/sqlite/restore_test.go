package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	driver "modernc.org/sqlite"

	"guardrails/store"
	"guardrails/store/sqlite"
)

// restoreInto copies a backup into a database that other connections have open. The command .restore of sqlite3 does
// the same.
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

// A file stores the number of a tenant instead of its name. After a restore, another tenant can have that number.
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

// All tenants share one table of changes. After a restore, new changes can get the row numbers of lost changes.
func TestChangesAfterABackupIsRestoredIntoTheOpenFileAreComplete(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	defer s.Close()
	createFor(t, s, "early", "one")
	raw(t, path, "VACUUM INTO '"+path+".backup'")
	createFor(t, s, "late", "two")
	set, err := s.All(t.Context(), "early")
	if err != nil {
		t.Fatal(err)
	}
	restoreInto(t, path, path+".backup")
	for _, c := range []struct{ tenant, id string }{{"early", "new"}, {"late", "other"}, {"late", "more"}} {
		createFor(t, s, c.tenant, c.id)
	}
	changes, err := s.Changes(t.Context(), "early", set.Moment)
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]bool{}
	for i := range changes.Changed {
		changed[changes.Changed[i].ID] = true
	}
	if !changed["new"] {
		t.Errorf("a change is missing in %+v", changes)
	}
}

// A program that keeps guidelines in memory asks for the generation. After a restore, other guidelines can have the
// same generation.
func TestGenerationsNameARestoredFile(t *testing.T) {
	for name, again := range map[string]int{"with fewer changes": 0, "with equally many changes": 2, "with more changes": 3} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			defer s.Close()
			createFor(t, s, "a", "one")
			raw(t, path, "VACUUM INTO '"+path+".backup'")
			createFor(t, s, "a", "two")
			createFor(t, s, "a", "three")
			before := generationOf(t, s)
			restoreInto(t, path, path+".backup")
			for i := range again {
				createFor(t, s, "a", fmt.Sprint("again", i))
			}
			if _, err := s.Generations(t.Context(), "a"); !errors.Is(err, store.ErrGone) || store.CodeOf(err) != store.Unavailable {
				t.Errorf("had %d, got %v", before, err)
			}
			opened := open(t, path)
			defer opened.Close()
			if got, want := generationOf(t, opened), before-2+int64(again); got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
}

func TestGenerationsAreReadWhileNobodyRestoresAFile(t *testing.T) {
	path := newPath(t)
	s, other := open(t, path), open(t, path)
	defer s.Close()
	defer other.Close()
	for i := range 3 {
		if got := generationOf(t, s); got != int64(2*i) {
			t.Errorf("got %d, want %d", got, 2*i)
		}
		createFor(t, s, "a", fmt.Sprint("one", i))
		createFor(t, other, "a", fmt.Sprint("two", i))
	}
}
