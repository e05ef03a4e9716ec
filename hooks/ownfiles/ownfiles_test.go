package ownfiles_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/hooks/ownfiles"
	"guardrails/hooks/session"
	"guardrails/internal/fortests/need"
	"guardrails/internal/private"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// computer has a list with two programs and a file of the project.
type computer struct {
	t                  testing.TB
	dir                *private.Dir
	state, stop, other string
}

func newComputer(t testing.TB) *computer {
	t.Helper()
	base := t.TempDir()
	c := &computer{t: t, state: filepath.Join(base, "state"), stop: filepath.Join(base, "guardrails-stop"), other: filepath.Join(base, "a file.yaml")}
	dir, err := private.Open(filepath.Join(base, "run"))
	must(t, err, os.WriteFile(c.stop, []byte("stop"), 0o700), os.WriteFile(c.other, []byte("x"), 0o600))
	c.dir = dir.KeyIn(c.state)
	c.start()
	return c
}

func (c *computer) start() {
	c.t.Helper()
	must(c.t, ownfiles.Start(c.dir, c.state, "s1", []ownfiles.Place{
		{Kind: ownfiles.KeptFile, Path: c.stop}, {Kind: ownfiles.SharedFile, Path: c.other},
	}))
}

func (c *computer) list() string {
	c.t.Helper()
	text, err := c.dir.ReadSigned(session.OwnFilesName("s1"), ownfiles.MaxList)
	must(c.t, err)
	return string(text)
}

func (c *computer) open() *ownfiles.Files {
	c.t.Helper()
	f, err := ownfiles.Open(c.dir, c.state, "s1")
	must(c.t, err)
	return f
}

func (c *computer) copies() []string {
	names, err := filepath.Glob(filepath.Join(c.state, "copies", "[0-9a-f]*[0-9a-f]"))
	must(c.t, err)
	return names
}

func TestCompareNamesAProgramThatHasNotChanged(t *testing.T) {
	c := newComputer(t)
	want := func(want ownfiles.Comparison) {
		t.Helper()
		if got := ownfiles.Compare(c.list()); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	want(ownfiles.Comparison{Helper: c.stop})
	must(t, os.WriteFile(c.other, []byte("y"), 0o600))
	want(ownfiles.Comparison{Changed: true, Helper: c.stop})
	must(t, os.WriteFile(c.stop, []byte("evil"), 0o700))
	want(ownfiles.Comparison{Changed: true, Program: true})
}

// The project's folder with guidelines, .claude/guardrails, has the same name as a program.
func TestAChangedFolderIsNotAChangedProgram(t *testing.T) {
	c := newComputer(t)
	folder := filepath.Join(filepath.Dir(c.other), "guardrails")
	must(t, os.Mkdir(folder, 0o700), ownfiles.Start(c.dir, c.state, "s1", []ownfiles.Place{{Kind: ownfiles.SharedFolder, Path: folder}}))
	must(t, os.WriteFile(filepath.Join(folder, "x.yaml"), []byte("x"), 0o600))
	if got := ownfiles.Compare(c.list()); !got.Changed || got.Program {
		t.Errorf("got %+v", got)
	}
}

// A guideline file may be a link. In that case, the file to which the link leads is compared, too.
func TestTheTargetOfALinkedGuidelineFileIsCompared(t *testing.T) {
	c := newComputer(t)
	folder := filepath.Join(filepath.Dir(c.other), "guidelines")
	must(t, os.Mkdir(folder, 0o700))
	if err := os.Symlink(c.other, filepath.Join(folder, "team.yaml")); err != nil {
		need.Missing(t, err)
	}
	must(t, ownfiles.Start(c.dir, c.state, "s1", []ownfiles.Place{{Kind: ownfiles.SharedFolder, Path: folder}}))
	if changed := c.open().Changed(); len(changed) != 0 {
		t.Errorf("at the start, %d files have changed", len(changed))
	}
	must(t, os.WriteFile(c.other, []byte("changed"), 0o600))
	if changed := c.open().Changed(); len(changed) != 1 {
		t.Errorf("%d files have changed, want 1", len(changed))
	}
}

func TestOnlyKeptFilesAreCopiedAndEachContentOnce(t *testing.T) {
	c := newComputer(t)
	first := c.copies()
	c.start()
	if len(first) != 1 || !slices.Equal(c.copies(), first) {
		t.Errorf("copies %v, then %v", first, c.copies())
	}
	for path, want := range map[string]os.FileMode{filepath.Dir(first[0]): os.ModeDir | 0o700, first[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

func TestAMissingCopyIsMadeAgainByTheNextSession(t *testing.T) {
	c := newComputer(t)
	must(t, os.RemoveAll(filepath.Join(c.state, "copies")))
	c.start()
	if len(c.copies()) != 1 {
		t.Errorf("copies %v", c.copies())
	}
}

func TestRecordsOfOldSessionsAreRemovedOnceAnHour(t *testing.T) {
	c := newComputer(t)
	c.start()
	folder := filepath.Join(c.state, "begun")
	make := func(name string, ago time.Duration) {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Now().Add(-ago), time.Now().Add(-ago)))
	}
	want := func(names ...string) {
		t.Helper()
		entries, err := os.ReadDir(folder)
		must(t, err)
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, names) {
			t.Errorf("got %q, want %q", got, names)
		}
	}
	make("guardrails-old.begun", 8*24*time.Hour)
	make("guardrails-young.begun", 6*24*time.Hour)
	c.start()
	want("guardrails-old.begun", "guardrails-s1.begun", "guardrails-young.begun", "swept")
	make("swept", 2*time.Hour)
	c.start()
	want("guardrails-s1.begun", "guardrails-young.begun", "swept")
}

func TestAnInterruptedPutBackIsFinishedByTheNextOne(t *testing.T) {
	c := newComputer(t)
	must(t, os.WriteFile(c.stop, []byte("evil"), 0o700))
	// A process that was killed has left its draft.
	must(t, os.WriteFile(c.stop+".guardrails-1", []byte("st"), 0o600))
	f := c.open()
	changed := f.Changed()
	if len(changed) != 1 {
		t.Fatalf("changed %v", changed)
	}
	aside, err := f.PutBack(changed[0])
	must(t, err, f.Save())
	if text, _ := os.ReadFile(c.stop); string(text) != "stop" {
		t.Errorf("%s has %q", c.stop, text)
	}
	if text, _ := os.ReadFile(aside); string(text) != "evil" {
		t.Errorf("%s has %q", aside, text)
	}
	if left := c.open().Changed(); len(left) > 0 {
		t.Errorf("still changed: %v", left)
	}
}

func TestAFileInAFolderThatCannotBeWrittenStaysChanged(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can write everywhere")
	}
	c := newComputer(t)
	must(t, os.WriteFile(c.stop, []byte("evil"), 0o700))
	folder := filepath.Dir(c.stop)
	must(t, os.Chmod(folder, 0o500))
	defer func() { _ = os.Chmod(folder, 0o700) }()
	f := c.open()
	if _, err := f.PutBack(0); err == nil || len(f.Changed()) != 1 {
		t.Errorf("put back: %v", err)
	}
}

func TestMessagesAreKeptUntilTheUserHasSeenThem(t *testing.T) {
	c := newComputer(t)
	f := c.open()
	f.Tell("first\nline")
	f.Tell("second")
	must(t, f.Save())
	f = c.open()
	if got := f.TakeMessages(); !slices.Equal(got, []string{"first line", "second"}) {
		t.Errorf("got %q", got)
	}
	must(t, f.Save())
	if got := c.open().TakeMessages(); len(got) > 0 {
		t.Errorf("told again: %q", got)
	}
}

func TestALongListOfFilesEndsAtTheLimit(t *testing.T) {
	c := newComputer(t)
	folder := t.TempDir()
	for i := range 1600 {
		must(t, os.WriteFile(filepath.Join(folder, strconv.Itoa(i)+".yaml"), nil, 0o600))
	}
	err := ownfiles.Start(c.dir, c.state, "s1", []ownfiles.Place{{Kind: ownfiles.SharedFolder, Path: folder}})
	if lines := strings.Count(c.list(), "\n"); lines != 1500 || err == nil || !strings.Contains(err.Error(), "only 1500") {
		t.Errorf("%d lines, %v", lines, err)
	}
}

func TestADamagedListCannotBeOpened(t *testing.T) {
	for _, text := range []string{"x\n", "1,2,3\t/a\tF\t-\t-\t\n", "1,2,3,4\t/a\tFF\t-\t-\t\n", "1,2,3,4\t/a\tF\t-\t-\n", "1,2,3,y\t/a\tF\t-\t-\t\n"} {
		c := newComputer(t)
		name := session.OwnFilesName("s1")
		must(t, c.dir.Write(name, c.dir.KeyOf(name).Sign([]byte(text))))
		if _, err := ownfiles.Open(c.dir, c.state, "s1"); err == nil {
			t.Errorf("%q was opened", text)
		}
	}
}

func FuzzList(f *testing.F) {
	for _, text := range []string{"", "! told\n", "33188,5,7,9\t/tmp/none/a b\tF\t644-ab\tab\t\n", "0,0,0,0\t/tmp/none\tS\t-\t-\tx\n", "x\ty\n\n"} {
		f.Add(text)
	}
	c := newComputer(f)
	f.Fuzz(func(t *testing.T, text string) {
		name := session.OwnFilesName("s1")
		must(t, c.dir.Write(name, c.dir.KeyOf(name).Sign([]byte(text))))
		compared := ownfiles.Compare(text)
		if compared.Helper != "" && !strings.Contains(text, compared.Helper) {
			t.Errorf("%q names %s", text, compared.Helper)
		}
		list, err := ownfiles.Open(c.dir, c.state, "s1")
		if err != nil {
			return
		}
		if !compared.Changed && len(list.Changed()) > 0 {
			t.Errorf("%q: the short comparison sees no change", text)
		}
		list.Tell("once more")
		must(t, list.Save())
		if _, err := ownfiles.Open(c.dir, c.state, "s1"); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func FuzzSettings(f *testing.F) {
	f.Add(`{"hooks": {"a": "b \" {"}, "model": "x", "env":{}}`)
	f.Add(`{"hooks": [1, "\\\\", 2], "agent": "a b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var short, long bytes.Buffer
		if json.Compact(&short, []byte(text)) != nil || json.Indent(&long, []byte(text), "", "\t") != nil {
			return
		}
		got, other := string(ownfiles.Settings(short.Bytes())), string(ownfiles.Settings(long.Bytes()))
		if got != other && got != short.String() {
			t.Errorf("%q: %q and %q", text, got, other)
		}
	})
}
