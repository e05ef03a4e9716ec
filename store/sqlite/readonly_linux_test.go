package sqlite_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"guardrails/store"
	"guardrails/store/sqlite"
)

func TestAReadOnlyFileRefusesChanges(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	addOne(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	asOrdinaryUser(t, func() {
		s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		if err != nil {
			t.Errorf("opening: %v", err)
			return
		}
		defer s.Close()
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
