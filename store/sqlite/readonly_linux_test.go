package sqlite_test

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"guardrails/store"
	"guardrails/store/sqlite"
)

func TestAReadOnlyFileRefusesChangesUntilItIsWritable(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	addOne(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	o := sqlite.Options{Path: path, Now: func() time.Time { return now }}
	asOrdinaryUser(t, func() {
		s, err := sqlite.Open(t.Context(), o)
		if err != nil {
			t.Errorf("opening: %v", err)
			return
		}
		defer func() { s.Close() }()
		if g, err := s.Get(t.Context(), "a", "one"); err != nil || g.Version != 1 {
			t.Errorf("reading: %+v, %v", g, err)
		}
		_, created := s.Create(t.Context(), newWrite(), small("two"))
		_, appended := s.Append(t.Context(), "a", entry("e"))
		for _, err := range []error{created, appended} {
			if store.CodeOf(err) != store.ReadOnly {
				t.Errorf("got %v", err)
			}
		}
		if err := s.Writable(t.Context(), "a"); store.CodeOf(err) != store.ReadOnly {
			t.Errorf("Writable: %v", err)
		}
		now = now.Add(time.Minute)
		if err := s.Writable(t.Context(), "a"); !errors.Is(err, store.ErrGone) {
			t.Errorf("Writable does not ask to open the file again: %v", err)
		}
		s.Close()
		if err := os.Chmod(path, 0o600); err != nil {
			t.Error(err)
		}
		if s, err = sqlite.Open(t.Context(), o); err != nil {
			t.Errorf("opening again: %v", err)
			return
		}
		if err := s.Writable(t.Context(), "a"); err != nil {
			t.Errorf("Writable afterwards: %v", err)
		}
		if g, err := s.Create(t.Context(), newWrite(), small("two")); err != nil || g.Version != 1 {
			t.Errorf("afterwards: %+v, %v", g, err)
		}
		if g, err := s.Get(t.Context(), "a", "two"); err != nil || g.Version != 1 {
			t.Errorf("reading afterwards: %+v, %v", g, err)
		}
	})
}

// asOrdinaryUser runs f on a thread that must obey file permissions, even if root runs the test. The thread ends after
// f.
func asOrdinaryUser(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Geteuid() == 0 && !dropOverride(t) {
			return
		}
		f()
	}()
	<-done
}

// dropOverride drops the thread's capabilities that let root open every file (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH).
func dropOverride(t *testing.T) bool {
	header := struct {
		version uint32
		pid     int32
	}{0x20080522, 0}
	var sets [2]struct{ effective, permitted, inheritable uint32 }
	_, _, got := syscall.RawSyscall(
		syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0,
	)
	sets[0].effective &^= 1<<1 | 1<<2
	_, _, set := syscall.RawSyscall(
		syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0,
	)
	if got != 0 || set != 0 {
		t.Errorf("cannot drop capabilities: %v, %v", got, set)
	}
	return got == 0 && set == 0
}
