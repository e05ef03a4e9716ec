package notedheads_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

func now() time.Time { return time.Now() }

// notes() returns the file with the notes.
func (f *fixture) notes() string {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(f.state(), "audit", "heads-*.jsonl"))
	f.must(err)
	if len(files) != 1 {
		f.Fatalf("%q", files)
	}
	return files[0]
}

func (f *fixture) editNotes(edit func(text string) string) {
	f.Helper()
	text, err := os.ReadFile(f.notes())
	f.must(err)
	f.must(os.WriteFile(f.notes(), []byte(edit(string(text))), 0o600))
}

func TestAlteredNotesAreNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(f *fixture)
		want string
	}{
		"a changed hash": {func(f *fixture) {
			f.editNotes(func(text string) string { return strings.Replace(text, `"hash":"`, `"hash":"0`, 1) })
		}, "has a wrong signature"},
		"a removed signature": {func(f *fixture) {
			f.editNotes(func(text string) string {
				at := strings.LastIndex(text, `,"key":"`)
				return text[:at] + "}\n"
			})
		}, "is not signed, although there was a key"},
		"another store": {func(f *fixture) {
			f.editNotes(func(text string) string { return strings.Replace(text, `"store":"`, `"store":"0`, 1) })
		}, "is about another store"},
		"an unknown key": {func(f *fixture) {
			f.editNotes(func(text string) string { return strings.Replace(text, `"key":"`, `"key":"0`, 1) })
		}, "is signed with the unknown key"},
		"no JSON": {func(f *fixture) { f.editNotes(func(text string) string { return text + "x}\n" }) }, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.key(false)
			f.work("one")
			c.edit(f)
			if got := strings.Join(f.faults(), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %s", got, c.want)
			}
		})
	}
}

func TestANoteThatAReplacedKeySignsLaterIsNoticed(t *testing.T) {
	f := newFixture(t)
	f.key(false)
	secret, err := os.ReadFile(filepath.Join(f.state(), "audit", "signing-key"))
	f.must(err)
	f.key(true)
	public, err := filepath.Glob(filepath.Join(f.state(), "audit", "public-000002-*"))
	f.must(err)
	kept, err := os.ReadFile(public[0])
	f.must(err)
	f.must(os.Remove(public[0]))
	f.must(os.WriteFile(filepath.Join(f.state(), "audit", "signing-key"), secret, 0o600))
	f.work("one") // somebody uses the old key
	f.must(os.WriteFile(public[0], kept, 0o600))
	if got := strings.Join(f.faults(), "\n"); !strings.Contains(got, "which had already been replaced") {
		t.Errorf("got %q", got)
	}
}

func TestNotesAndKeysAreOnlyForTheirOwner(t *testing.T) {
	f := newFixture(t)
	first := f.key(false)
	f.work("one")
	if _, err := notedheads.MakeKey(f.state(), now(), false); err == nil || !strings.Contains(err.Error(), "pass --rotate") {
		t.Errorf("a key was replaced without a request: %v", err)
	}
	second := f.key(true)
	f.must(filepath.WalkDir(filepath.Join(f.state(), "audit"), func(path string, d fs.DirEntry, err error) error {
		info, failed := d.Info()
		f.must(failed)
		if !d.IsDir() && info.Mode() != 0o600 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	}))
	keys, err := f.book().Keys()
	f.must(err)
	if len(keys) != 2 || keys[0].ID != first.ID || keys[1].ID != second.ID || keys[0].Replaced.IsZero() || !keys[1].Replaced.IsZero() {
		t.Errorf("%+v", keys)
	}
	secret, err := os.ReadFile(filepath.Join(f.state(), "audit", "signing-key"))
	f.must(err)
	database, err := os.ReadFile(f.file)
	f.must(err)
	if strings.Contains(string(database), strings.TrimSpace(string(secret))) {
		t.Error("the private key is in the store")
	}
}

func TestAMissingPrivateKeyIsAnErrorThatNamesIt(t *testing.T) {
	f := newFixture(t)
	f.key(false)
	f.work("one")
	f.must(os.Remove(filepath.Join(f.state(), "audit", "signing-key")))
	f.withStore(func(s *live.TenantStore) {
		_, err := s.Create(f.Context(), small("two"))
		f.must(err)
		if _, err := s.NoteHeads(f.Context()); err == nil || !strings.Contains(err.Error(), "audit/signing-key, or run guardrails audit key --rotate") {
			t.Errorf("%v", err)
		}
	})
}

func TestALineThatWasNotFinishedIsSkipped(t *testing.T) {
	f := newFixture(t)
	f.work("one")
	f.editNotes(func(text string) string { return text + "\n" + text[1:40] })
	f.work("two")
	if got := f.faults(); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestAFileOfNotesIsShortenedButKeepsOneNoteOfEachDay(t *testing.T) {
	f := newFixture(t)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	book := notedheads.Open(func() (string, error) { return f.state(), nil }, "x", func() time.Time { return at })
	for i := range 6000 {
		_, err := book.Add(notedheads.Note{Generation: int64(i)})
		f.must(err)
		at = at.Add(time.Hour)
	}
	info, err := os.Stat(f.notes())
	f.must(err)
	notes, faults, err := book.Notes("")
	f.must(err)
	if info.Size() > 1<<20 || len(faults) > 0 || notedheads.Generation(notes) != 5999 || len(notes) < 250 {
		t.Errorf("%d bytes, %d notes, %q", info.Size(), len(notes), faults)
	}
}

// manyNotes returns a book whose file is about to be shortened. All of its notes are from the last day.
func (f *fixture) manyNotes(now func() time.Time) *notedheads.Book {
	f.Helper()
	book := notedheads.Open(func() (string, error) { return f.state(), nil }, "x", now)
	_, err := book.Add(noteOf(1, 1))
	f.must(err)
	f.editNotes(func(text string) string { return strings.Repeat(text, 1<<20/len(text)) })
	return book
}

func TestANoteIsKeptThatAnotherProcessAddsWhileTheFileIsShortened(t *testing.T) {
	f := newFixture(t)
	calls, at := 0, time.Now()
	f.manyNotes(func() time.Time { return at.Add(-72 * time.Hour) })
	other := notedheads.Open(func() (string, error) { return f.state(), nil }, "x", time.Now)
	book := notedheads.Open(func() (string, error) { return f.state(), nil }, "x", func() time.Time {
		if calls++; calls == 2 { // at the second call, the note was added, and the file is being shortened
			_, err := other.Add(noteOf(3, 3))
			f.must(err)
		}
		return at
	})
	_, err := book.Add(noteOf(2, 2))
	f.must(err)
	notes, faults, err := book.Notes("acme")
	f.must(err)
	if len(notes) != 3 || notedheads.Generation(notes) != 3 || len(faults) > 0 {
		t.Errorf("%d notes up to generation %d, %q", len(notes), notedheads.Generation(notes), faults)
	}
	info, err := os.Stat(f.notes())
	f.must(err)
	if info.Size() > 2000 {
		t.Errorf("the file has %d bytes", info.Size())
	}
}

func TestAFileOfRecentNotesIsNotReadForEachNote(t *testing.T) {
	f := newFixture(t)
	calls, at := 0, time.Now()
	book := f.manyNotes(func() time.Time { calls++; return at })
	for i := range 50 {
		_, err := book.Add(noteOf(int64(2+i), 1))
		f.must(err)
	}
	if calls > 3*(1<<20)/200 {
		t.Errorf("the age of a note was read %d times", calls)
	}
}

func TestAFileOfLongNotesDoesNotGrowForever(t *testing.T) {
	f := newFixture(t)
	book, heads := f.book(), []store.Head{{Hash: strings.Repeat("x", 700_000)}}
	_, err := book.Add(notedheads.Note{Generation: 28, Heads: heads})
	f.must(err)
	f.editNotes(func(text string) string { return strings.Repeat(text, 11<<20/len(text)) })
	_, err = book.Add(notedheads.Note{Generation: 29, Heads: heads})
	f.must(err)
	info, err := os.Stat(f.notes())
	f.must(err)
	notes, faults, err := book.Notes("")
	f.must(err)
	if info.Size() > 10<<20 || notedheads.Generation(notes) != 29 || len(faults) > 0 {
		t.Errorf("%d bytes, up to generation %d, %q", info.Size(), notedheads.Generation(notes), faults)
	}
}

func TestTheLastNoteIsFoundBehindLinesThatCannotBeRead(t *testing.T) {
	f := newFixture(t)
	if last, err := f.book().Last("a"); err != nil || last.Generation != 0 {
		t.Errorf("before the first note: %v, %v", last, err)
	}
	for i := range 5 {
		_, err := f.book().Add(notedheads.Note{Tenant: "a", Generation: int64(i), Heads: make([]store.Head, 1000)})
		f.must(err)
	}
	for name, more := range map[string]string{
		"nothing": "", "an unfinished line": "{\"at\":", "a line of garbage": "{}\n", "many lines": strings.Repeat("{}\n", 50_000),
	} {
		f.editNotes(func(text string) string { return text + more })
		if last, err := f.book().Last("a"); err != nil || last.Generation != 4 || len(last.Heads) != 1000 {
			t.Errorf("%s: generation %d with %d heads, %v", name, last.Generation, len(last.Heads), err)
		}
	}
}
