package proof

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"guardrails/config"
	"guardrails/internal/fortests/need"
)

// ownMounts is the name of an environment variable. If the variable is set, the test runs in a process with its own
// mounts.
const ownMounts = "GUARDRAILS_TEST_MOUNTS"

// disk is a small disk in memory.
type disk struct {
	t      *testing.T
	folder string
}

// onSmallDisk runs a test that may mount a small disk. Only a process with its own mounts can mount a disk, so
// onSmallDisk starts the test again in such a process. If the user is not root, the process also gets its own user
// namespace, in which it is root.
func onSmallDisk(t *testing.T, test func(d *disk)) {
	t.Helper()
	if os.Getenv(ownMounts) != "" {
		d := &disk{t, t.TempDir()}
		must(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		must(t, syscall.Mount("small", d.folder, "tmpfs", 0, "size=64m,mode=700"))
		t.Cleanup(func() { must(t, syscall.Unmount(d.folder, syscall.MNT_DETACH)) })
		test(d)
		return
	}
	again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-kills=%d", *kills))
	again.Env, again.SysProcAttr = append(os.Environ(), ownMounts+"=1"), &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		again.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		again.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		again.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := again.CombinedOutput()
	if again.Process == nil {
		need.Missing(t, "this system does not allow a process its own mounts: ", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// fill() fills the disk until it is completely full.
func (d *disk) fill() {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.folder, "ballast"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(d.t, err)
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

func (d *disk) free() {
	d.t.Helper()
	must(d.t, os.Remove(filepath.Join(d.folder, "ballast")))
}

func TestNothingIsLostWhenTheDiskIsFull(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes some seconds")
	}
	onSmallDisk(t, func(d *disk) {
		x := newChaos(t, &config.Store{Path: filepath.Join(d.folder, "data", "guardrails.db")})
		x.suffer(x.fullDisks(d.fill, d.free, max(1, *kills/100))...)
		x.end()
	})
}
