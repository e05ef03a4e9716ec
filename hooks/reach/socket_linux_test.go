package reach_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"guardrails/hooks/reach"
	"guardrails/internal/fortests/need"
)

func TestPostDoesNotWaitForAServerThatAcceptsNoConnections(t *testing.T) {
	t.Parallel()
	path := filepath.Join(folder(t), "s")
	address := &syscall.SockaddrUnix{Name: path}
	server := socket(t, 0)
	must(t, syscall.Bind(server, address))
	must(t, syscall.Listen(server, 0))
	for {
		err := syscall.Connect(socket(t, syscall.SOCK_NONBLOCK), address)
		if err == syscall.EAGAIN {
			break
		}
		must(t, err)
	}
	inTime(t, reach.StageSend, "did not accept the connection in time", func() error { return hurriedPost(path, 2) })
}

func socket(t *testing.T, flags int) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|flags, 0)
	must(t, err)
	t.Cleanup(func() { syscall.Close(fd) })
	return fd
}

// Only root can act as another user.
func TestPostRefusesTheServerOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		need.Missing(t, "only root can listen as another user")
	}
	const nobody = 65534
	path := foreignServer(t, nobody)
	_, err := post(path)
	if want := path + " belongs to another user"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}

	// An attacker can fake the owner of the file, but not the owner of the process.
	must(t, os.Chown(path, 0, 0))
	_, err = post(path)
	wantFailure(t, err, reach.StageSocket, "the process that listens on "+path+" belongs to another user")
}

// foreignServer starts a server that runs as another user. On Linux, each thread can have a different user.
func foreignServer(t *testing.T, uid int) string {
	t.Helper()
	dir := folder(t)
	must(t, os.Chmod(dir, 0o777))
	path := filepath.Join(dir, "s")
	made := make(chan error)
	var l net.Listener
	go func() {
		// The thread stays locked to this goroutine, so the thread ends with the goroutine. No other goroutine can then
		// run as the other user.
		runtime.LockOSThread()
		_, _, failed := syscall.RawSyscall(syscall.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid))
		if failed != 0 {
			made <- failed
			return
		}
		var err error
		l, err = net.Listen("unix", path)
		made <- err
	}()
	must(t, <-made)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(c, jsonAnswer(`{}`))
			c.Close()
		}
	}()
	return path
}

func TestAskRefusesAServerThatRunsAnotherProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	socket := say(t, jsonAnswer(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"count":1}}}`))
	link := filepath.Join(folder(t), "guardrails")
	must(t, os.Symlink(self, link))
	for server, via := range map[string]string{self: reach.ViaServer, link: reach.ViaServer, "": reach.ViaServer, "/bin/sh": reach.ViaCLI, "none": reach.ViaCLI} {
		a := reach.Asker{Socket: socket, Server: server, CLI: cli(t, "answers"), WarmTimeout: patience, ColdTimeout: patience}
		_, got, err := a.Ask([]byte(`{}`))
		if err != nil || got != via {
			t.Errorf("%q: via %q, %v", server, got, err)
		}
		if want := "the process that listens on " + socket + " does not run " + server; via == reach.ViaCLI && (a.Passed == nil || !strings.Contains(a.Passed.Error(), want)) {
			t.Errorf("%q: passed over because %v", server, a.Passed)
		}
	}
}
