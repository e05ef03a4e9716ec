//go:build unix

package page_test

import (
	"testing"

	"guardrails/internal/page"
	"guardrails/internal/private"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir *private.Dir, name string) *private.File {
	t.Helper()
	check(t, dir.Touch(name))
	f, _, err := dir.OpenFile(name)
	check(t, err)
	return f
}

func TestTheNoteOfAKilledProcessIsNotFoundWhileTheNextProcessHasThePage(t *testing.T) {
	dir, err := private.Open(t.TempDir() + "/run")
	check(t, err)
	check(t, page.Write(dir, page.Place{Address: "127.0.0.1:7117"}))
	for _, name := range []string{page.Lock, page.Shown} {
		f := open(t, dir, name)
		_, err := f.TryLock()
		check(t, err)
		if _, found := page.Find(dir); found != (name == page.Shown) {
			t.Errorf("with the lock %s, found: %v", name, found)
		}
		check(t, f.Close())
	}
}

func TestProcessesThatLookAtTheSameTimeDoNotTakeEachOtherForTheServer(t *testing.T) {
	dir, err := private.Open(t.TempDir() + "/run")
	check(t, err)
	check(t, page.Write(dir, page.Place{Address: "127.0.0.1:7117"}))
	other := open(t, dir, page.Shown)
	_, err = other.TryShare()
	check(t, err)
	if at, found := page.Find(dir); found {
		t.Errorf("no server has the page, but %s is found", at.Address)
	}
	check(t, other.Close())
}

func TestANoteThatAnotherProgramWroteIsNotBelieved(t *testing.T) {
	dir, err := private.Open(t.TempDir() + "/run")
	check(t, err)
	f := open(t, dir, page.Shown)
	_, err = f.TryLock()
	check(t, err)
	for _, at := range []page.Place{{Address: "127.0.0.1:7117"}, {Address: "192.0.2.1:7117"}, {Address: "example.com:80"}} {
		check(t, page.Write(dir, at))
		if _, found := page.Find(dir); found != (at.Address == "127.0.0.1:7117") {
			t.Errorf("%s: %t", at.Address, found)
		}
	}
	check(t, dir.Write("page.json", []byte(`{"address":"127.0.0.1:9999"}`)))
	if at, found := page.Find(dir); found {
		t.Errorf("believed %+v", at)
	}
}

func TestTheAddressAtWhichThisComputerReachesAServer(t *testing.T) {
	for given, want := range map[string]string{
		"127.0.0.1:7117": "127.0.0.1:7117", "[::1]:7117": "[::1]:7117", ":7117": "127.0.0.1:7117",
		"localhost:7117": "127.0.0.1:7117", "0.0.0.0:7117": "127.0.0.1:7117", "[::]:7117": "127.0.0.1:7117",
		"192.0.2.1:7117": "", "example.com:7117": "", "7117": "",
	} {
		got, ok := page.Reach(given)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v, want %s", given, got, ok, want)
		}
	}
}
