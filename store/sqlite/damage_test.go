package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

func TestFilesThatAreNotGuardrailsDatabasesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		make  func(t *testing.T, path string)
		code  store.Code
		words string
	}{
		"a text": {
			func(t *testing.T, path string) { overwrite(t, path, 0, strings.Repeat("This is a letter. ", 500)) }, store.Internal,
			"is damaged or not a database",
		},
		"a database of another program": {
			func(t *testing.T, path string) { raw(t, path, "CREATE TABLE song (name TEXT)") }, store.Unavailable,
			"of another program",
		},
		"a newer schema": {func(t *testing.T, path string) {
			if err := open(t, path).Close(); err != nil {
				t.Fatal(err)
			}
			raw(t, path, "PRAGMA user_version = 99")
		}, store.Unavailable, "written by a newer version of guardrails (schema 99, this version supports 3); update"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			refuse(t, sqlite.Options{Path: path}, c.code, c.words)
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

func TestADamagedFileIsAnInternalError(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	items := make([]guideline.Guideline, 500)
	for i := range items {
		items[i] = small("g" + strings.Repeat("x", i%50) + store.NewID(time.Now()))
		items[i].ID = strings.ToLower(items[i].ID)
	}
	if _, err := s.Import(t.Context(), newWrite(), items, store.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, path, 8192, strings.Repeat("\xde\xad\xbe\xef", int(info.Size()-8192)/4))
	s, err = sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err == nil {
		defer s.Close()
		_, err = s.All(t.Context(), "a")
	}
	if store.CodeOf(err) != store.Internal || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("got %v", err)
	}
}

func TestAnInvalidGuidelineInTheFileIsAnInternalError(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	defer s.Close()
	addOne(t, s)
	raw(t, path, `UPDATE revision SET body = replace(body, '"custom"', '"nothing"')`)
	if _, err := s.All(t.Context(), "a"); store.CodeOf(err) != store.Internal {
		t.Errorf("got %v", err)
	}
}

func TestSeveralProcessesCanCreateTheFileAtOnce(t *testing.T) {
	path := newPath(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Create(t.Context(), newWrite(), small(strings.ToLower(store.NewID(time.Now())))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := open(t, path)
	defer s.Close()
	if set, err := s.All(t.Context(), "a"); err != nil || len(set.Guidelines) != 8 {
		t.Errorf("got %d guidelines, %v", len(set.Guidelines), err)
	}
}

func TestAStoreOpenedWithReadOnlyRefusesChanges(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	defer s.Close()
	addOne(t, s)
	reader, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if g, err := reader.Get(t.Context(), "a", "one"); err != nil || g.Version != 1 {
		t.Errorf("got %+v, %v", g, err)
	}
	_, created := reader.Create(t.Context(), newWrite(), small("two"))
	_, appended := reader.Append(t.Context(), "a", entry("e"))
	for _, err := range []error{created, appended} {
		if store.CodeOf(err) != store.ReadOnly {
			t.Errorf("got %v", err)
		}
	}
}

func overwrite(t *testing.T, path string, at int64, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(text), at); err != nil {
		t.Fatal(err)
	}
}
