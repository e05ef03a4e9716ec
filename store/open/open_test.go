package open_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// The type "folder" is the home folder of a user.
type folder struct {
	t    *testing.T
	home string
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	return &folder{t, t.TempDir()}
}

func (f *folder) env(name string) string {
	switch name {
	case "HOME":
		return f.home
	case "GUARDRAILS_CACHE_DIR":
		return f.home + "/run"
	}
	return ""
}

func (f *folder) open(c *config.Config, create bool) (*live.Store, error) {
	f.t.Helper()
	s, err := open.Open(f.t.Context(), c, open.Options{Env: f.env, Now: time.Now, Make: create})
	if err == nil {
		f.t.Cleanup(func() { check(f.t, s.Close()) })
	}
	return s, err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Enabled: true, Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: "Do."},
	}
}

func tenant(s *live.Store) *live.TenantStore { return s.For(live.Caller{Actor: "ann"}) }

func TestTheDefaultStoreIsADatabaseInTheDataFolder(t *testing.T) {
	f := newFolder(t)
	if _, err := f.open(&config.Config{}, false); !errors.Is(err, live.ErrNoStore) {
		t.Fatalf("before it was created: %v", err)
	}
	created, err := f.open(&config.Config{}, true)
	check(t, err)
	_, err = tenant(created).Create(t.Context(), small("one"))
	check(t, err)
	again, err := f.open(&config.Config{}, false)
	check(t, err)
	if _, err = tenant(again).Get(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	want := "sqlite:" + filepath.Join(f.home, ".local", "share", "guardrails", "guardrails.db")
	if again.Location() != want {
		t.Errorf("the location is %s, want %s", again.Location(), want)
	}
}

func TestAConfiguredDatabaseIsUnavailableUntilItExists(t *testing.T) {
	f := newFolder(t)
	c := &config.Config{Store: &config.Store{Path: "~/team/g.db"}}
	waiting, err := f.open(c, false)
	check(t, err)
	_, err = tenant(waiting).Get(t.Context(), "one")
	const want = "team/g.db does not exist; restore it, or create a new one with guardrails init"
	if store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Lstat(filepath.Join(f.home, "team")); err == nil {
		t.Fatal("the folder was created by a program that may not create the database")
	}
	created, err := f.open(c, true)
	check(t, err)
	_, err = tenant(created).Create(t.Context(), small("one"))
	check(t, err)
	eventually(t, func() bool { _, err := tenant(waiting).Get(t.Context(), "one"); return err == nil })
}

func TestADatabaseThatWasReplacedIsReadAgain(t *testing.T) {
	f := newFolder(t)
	c := &config.Config{Store: &config.Store{Path: filepath.Join(f.home, "g", "g.db")}}
	s, err := f.open(c, true)
	check(t, err)
	_, err = tenant(s).Create(t.Context(), small("one"))
	check(t, err)
	before, err := s.Snapshot(t.Context(), "")
	check(t, err)

	// Replace the database with another one that has the same number of changes.
	other := &config.Config{Store: &config.Store{Path: filepath.Join(f.home, "other", "g.db")}}
	replacement, err := f.open(other, true)
	check(t, err)
	_, err = tenant(replacement).Create(t.Context(), small("two"))
	check(t, err)
	check(t, replacement.Close())
	check(t, os.RemoveAll(filepath.Dir(c.Store.Path)))
	check(t, os.Rename(filepath.Dir(other.Store.Path), filepath.Dir(c.Store.Path)))

	eventually(t, func() bool {
		now, err := s.Snapshot(t.Context(), "")
		return err == nil && now.Err == nil && now.Generation != before.Generation &&
			len(now.Guidelines) == 1 && now.Guidelines[0].ID == "two"
	})
	_, err = tenant(s).Create(t.Context(), small("three"))
	check(t, err)
}

// If an empty database took the place of a database that disappeared, every guideline would be lost without a message.
func TestADatabaseThatDisappearedIsUnavailableAndNotCreatedAgain(t *testing.T) {
	f := newFolder(t)
	s, err := f.open(&config.Config{}, true)
	check(t, err)
	_, err = tenant(s).Create(t.Context(), small("one"))
	check(t, err)
	file, err := open.DefaultPath(f.env)
	check(t, err)
	check(t, os.Rename(filepath.Dir(file), f.home+"/away"))
	eventually(t, func() bool {
		_, err := tenant(s).Create(t.Context(), small("two"))
		return store.CodeOf(err) == store.Unavailable && strings.Contains(err.Error(), "does not exist; restore it")
	})
	if _, err := os.Stat(file); err == nil {
		t.Error("the database was created again")
	}
	check(t, os.Rename(f.home+"/away", filepath.Dir(file)))
	eventually(t, func() bool { _, err := tenant(s).Get(t.Context(), "one"); return err == nil })
}

func TestAMissingHomeIsAnErrorThatNamesIt(t *testing.T) {
	homeless := open.Options{Env: func(string) string { return "" }, Now: time.Now, Make: true}
	for _, c := range []*config.Config{{}, {Store: &config.Store{Path: "~/g.db"}}} {
		_, err := open.Open(t.Context(), c, homeless)
		if store.CodeOf(err) != store.Invalid || !strings.Contains(err.Error(), "HOME") {
			t.Errorf("got %v", err)
		}
	}
}

func TestWithoutAHomeThereIsNoStore(t *testing.T) {
	homeless := open.Options{Env: func(string) string { return "" }, Now: time.Now}
	if _, err := open.Open(t.Context(), &config.Config{}, homeless); !errors.Is(err, live.ErrNoStore) {
		t.Errorf("got %v", err)
	}
}

func TestAClosedStoreStaysClosed(t *testing.T) {
	s, err := newFolder(t).open(&config.Config{}, true)
	check(t, err)
	_, err = tenant(s).Create(t.Context(), small("one"))
	check(t, err)
	check(t, s.Close())
	check(t, s.Close())
	if _, err := tenant(s).Get(t.Context(), "one"); store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
}

// eventually() waits until the condition is true. If that takes longer than ten seconds, the test fails.
func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the condition did not become true")
		}
	}
}
