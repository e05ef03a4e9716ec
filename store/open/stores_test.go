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

// place is a user's data folder.
type place struct {
	t    *testing.T
	home string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	return &place{t, t.TempDir()}
}

func (p *place) env(name string) string {
	switch name {
	case "HOME":
		return p.home
	case "GUARDRAILS_CACHE_DIR":
		return p.home + "/run"
	}
	return ""
}

func (p *place) open(c *config.Config, create bool) (*live.Catalog, error) {
	p.t.Helper()
	out, err := open.Open(p.t.Context(), c, open.Options{Env: p.env, Now: time.Now, Make: create})
	if err == nil {
		p.t.Cleanup(func() { check(p.t, out.Close()) })
	}
	return out, err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{ID: id, Name: id, Enabled: true, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction, Instruction: "Do."}}
}

func book(c *live.Catalog) *live.Book { return c.For(live.Who{Actor: "ann"}) }

func TestWithoutSettingsTheStoreIsADatabaseInTheDataFolder(t *testing.T) {
	p := newPlace(t)
	if _, err := p.open(&config.Config{}, false); !errors.Is(err, open.ErrNone) {
		t.Fatalf("before it was made: %v", err)
	}
	made, err := p.open(&config.Config{}, true)
	check(t, err)
	_, err = book(made).Create(t.Context(), small("one"))
	check(t, err)
	again, err := p.open(&config.Config{}, false)
	check(t, err)
	if _, err = book(again).Get(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	if want := "sqlite:" + filepath.Join(p.home, ".local", "share", "guardrails", "guardrails.db"); again.Place() != want {
		t.Errorf("%s, not %s", again.Place(), want)
	}
}

func TestANamedDatabaseThatIsNotThereIsAwayUntilItIs(t *testing.T) {
	p := newPlace(t)
	c := &config.Config{Store: &config.Store{Path: "~/team/g.db"}}
	away, err := p.open(c, false)
	check(t, err)
	_, err = book(away).Get(t.Context(), "one")
	if store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), "team/g.db is not there; put it back, or make a new one by guardrails init") {
		t.Fatalf("%v", err)
	}
	if _, err := os.Lstat(filepath.Join(p.home, "team")); err == nil {
		t.Fatal("who may not make a database made its folder")
	}
	made, err := p.open(c, true)
	check(t, err)
	_, err = book(made).Create(t.Context(), small("one"))
	check(t, err)
	eventually(t, func() bool { _, err := book(away).Get(t.Context(), "one"); return err == nil })
}

func TestADatabaseThatIsPutBackIsReadAgain(t *testing.T) {
	p := newPlace(t)
	c := &config.Config{Store: &config.Store{Path: filepath.Join(p.home, "g", "g.db")}}
	using, err := p.open(c, true)
	check(t, err)
	_, err = book(using).Create(t.Context(), small("one"))
	check(t, err)
	before, err := using.View(t.Context(), "")
	check(t, err)

	// Another database takes its place, of which the number of changes is the same.
	other := &config.Config{Store: &config.Store{Path: filepath.Join(p.home, "other", "g.db")}}
	replacement, err := p.open(other, true)
	check(t, err)
	_, err = book(replacement).Create(t.Context(), small("two"))
	check(t, err)
	check(t, replacement.Close())
	check(t, os.RemoveAll(filepath.Dir(c.Store.Path)))
	check(t, os.Rename(filepath.Dir(other.Store.Path), filepath.Dir(c.Store.Path)))

	eventually(t, func() bool {
		v, err := using.View(t.Context(), "")
		return err == nil && v.Err == nil && len(v.Guidelines) == 1 && v.Guidelines[0].ID == "two" && v.Generation != before.Generation
	})
	_, err = book(using).Create(t.Context(), small("three"))
	check(t, err)
}

// An empty database in the place of one that is gone would let go of every guideline, and nobody would hear of it.
func TestADatabaseThatIsGoneIsAwayAndNotMadeAnew(t *testing.T) {
	p := newPlace(t)
	using, err := p.open(&config.Config{}, true)
	check(t, err)
	_, err = book(using).Create(t.Context(), small("one"))
	check(t, err)
	file, err := open.DefaultPath(p.env)
	check(t, err)
	check(t, os.Rename(filepath.Dir(file), p.home+"/away"))
	eventually(t, func() bool {
		_, err := book(using).Create(t.Context(), small("two"))
		return store.CodeOf(err) == store.Unavailable && strings.Contains(err.Error(), "is not there; put it back")
	})
	if _, err := os.Stat(file); err == nil {
		t.Error("it was made anew")
	}
	check(t, os.Rename(p.home+"/away", filepath.Dir(file)))
	eventually(t, func() bool { _, err := book(using).Get(t.Context(), "one"); return err == nil })
}

func TestAHomeThatIsNotKnownIsSaid(t *testing.T) {
	nowhere := open.Options{Env: func(string) string { return "" }, Now: time.Now, Make: true}
	for _, c := range []*config.Config{{}, {Store: &config.Store{Path: "~/g.db"}}} {
		if _, err := open.Open(t.Context(), c, nowhere); store.CodeOf(err) != store.Invalid || !strings.Contains(err.Error(), "HOME") {
			t.Errorf("%v", err)
		}
	}
}

// There cannot be a database in the data folder of nobody.
func TestWithoutAHomeThereIsNoStore(t *testing.T) {
	nowhere := open.Options{Env: func(string) string { return "" }, Now: time.Now}
	if _, err := open.Open(t.Context(), &config.Config{}, nowhere); !errors.Is(err, open.ErrNone) {
		t.Errorf("%v", err)
	}
}

func TestAClosedStoreStaysClosed(t *testing.T) {
	p := newPlace(t)
	c, err := p.open(&config.Config{}, true)
	check(t, err)
	_, err = book(c).Create(t.Context(), small("one"))
	check(t, err)
	check(t, c.Close())
	check(t, c.Close())
	if _, err := book(c).Get(t.Context(), "one"); store.CodeOf(err) != store.Unavailable {
		t.Errorf("%v", err)
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come about")
		}
	}
}
