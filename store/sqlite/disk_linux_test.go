package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"guardrails/internal/fortests/need"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// ownMounts is the name of an environment variable. If the variable is set, the test runs in a process with its own
// mounts.
const ownMounts = "GUARDRAILS_TEST_MOUNTS"

// onSmallDisk runs a test on a file system of a few megabytes. The parameters of test() are a folder on this file
// system, and the path of a file ("ballast") that fills one megabyte of it. Only a process with its own mounts can
// mount the file system, so onSmallDisk starts the test again in such a process.
func onSmallDisk(t *testing.T, test func(t *testing.T, folder, ballast string)) {
	if os.Getenv(ownMounts) == "" {
		runWithOwnMounts(t)
		return
	}
	folder := t.TempDir()
	if err := syscall.Mount("small", folder, "tmpfs", 0, "size=3m,mode=700"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	test(t, folder, ballast)
}

// runWithOwnMounts starts the test again in a process with its own mounts.
func runWithOwnMounts(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), ownMounts+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if cmd.Process == nil {
		need.Missing(t, "this system does not allow a process its own mounts: ", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, out)
	}
}

// appendUntil appends large entries until one is refused. It returns the ids of the acknowledged entries.
func appendUntil(t *testing.T, s *sqlite.Store, most int) (acknowledged []string, refused error) {
	t.Helper()
	for i := range most {
		e := entry(fmt.Sprint("e", i))
		e.Decision.Reason = strings.Repeat("because ", 2000)
		if _, err := s.Append(t.Context(), "a", e); err != nil {
			return acknowledged, err
		}
		acknowledged = append(acknowledged, e.ID)
	}
	return acknowledged, nil
}

func TestAFullDiskLosesNothingAndIsUsedAgainWhenItHasSpace(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, folder, ballast string) {
		path := filepath.Join(folder, "data", "guardrails.db")
		s := open(t, path)
		acknowledged, err := appendUntil(t, s, 1000)
		if store.CodeOf(err) != store.ReadOnly || !strings.Contains(
			err.Error(), "disk is full; free some space",
		) || len(acknowledged) < 10 {
			t.Fatalf("after %d entries: %v", len(acknowledged), err)
		}
		expectEntries(t, s, acknowledged)
		if err := s.Writable(t.Context(), "a"); store.CodeOf(err) != store.ReadOnly {
			t.Errorf("Writable: %v", err)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), "a", entry("afterwards")); err != nil {
			t.Fatalf("with space again: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again := open(t, path)
		defer again.Close()
		expectEntries(t, again, append(acknowledged, "afterwards"))
	})
}

func TestAReadOnlyDiskIsAnErrorThatSaysSo(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, folder, _ string) {
		path := filepath.Join(folder, "data", "guardrails.db")
		s := open(t, path)
		addOne(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("small", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
		refuse(
			t, sqlite.Options{Path: path}, store.Unavailable,
			"cannot be opened; check the permissions of the file and its folder, and that the disk is writable",
		)
		refuse(t, sqlite.Options{Path: path, ReadOnly: true}, store.Unavailable, "that the disk is writable")
		refuse(
			t, sqlite.Options{Path: filepath.Join(folder, "new", "guardrails.db")}, store.Unavailable, "read-only file system",
		)
	})
}

func TestADiskThatIsReadOnlyAtTheStartIsUsedAsSoonAsItIsWritable(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, folder, _ string) {
		path := filepath.Join(folder, "data", "guardrails.db")
		s := open(t, path)
		addOne(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		remount := func(flags uintptr) {
			t.Helper()
			if err := syscall.Mount("small", folder, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
				t.Fatal(err)
			}
		}
		remount(syscall.MS_RDONLY)
		server := live.New(live.Options{
			Open: func(ctx context.Context) (store.Store, error) { return sqlite.Open(ctx, sqlite.Options{Path: path}) },
			Now:  time.Now,
		})
		defer server.Close()
		tenant := server.For(live.Caller{Tenant: "a", Actor: "ann"})
		if _, err := tenant.Create(t.Context(), small("two")); store.CodeOf(err) != store.Unavailable {
			t.Errorf("at the start: %v", err)
		}
		remount(0)
		err := error(nil)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
			if _, err = tenant.Create(t.Context(), small("two")); err == nil {
				break
			}
		}
		if g, lost := tenant.Get(t.Context(), "one"); err != nil || lost != nil || g.Version != 1 {
			t.Errorf("afterwards: %v; %+v, %v", err, g, lost)
		}
	})
}

// expectEntries checks that the audit has the wanted decisions and that every chain passes verification.
func expectEntries(t *testing.T, s *sqlite.Store, want []string) {
	t.Helper()
	there := map[string]bool{}
	for e, err := range s.Export(t.Context(), "a", store.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		there[e.ID] = true
	}
	for _, id := range want {
		if !there[id] {
			t.Errorf("the entry %s is lost", id)
		}
	}
	verdicts, err := s.Verify(t.Context(), "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("the chain %+v: %+v", v.Chain, *v.Fault)
		}
	}
}
