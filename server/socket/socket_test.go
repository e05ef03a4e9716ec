//go:build unix

package socket_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/private"
	"guardrails/server/socket"
)

func TestTheNextHolderTakesOverWhenTheFirstStops(t *testing.T) {
	dir := runtimeDir(t)
	first := hold(t, dir, "first")
	first.waitFor(socket.Bound)
	second := hold(t, dir, "second")
	second.waitFor(socket.Waiting)
	if got := ownerName(t, dir); got != "first" {
		t.Errorf("%q answers", got)
	}
	first.stop()
	second.waitFor(socket.Bound)
	if got := ownerName(t, dir); got != "second" {
		t.Errorf("%q answers", got)
	}
	second.stop()
	if _, err := os.Lstat(dir.Path(socket.Name)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket still exists: %v", err)
	}
}

func TestAKilledOwnerIsReplacedAtOnce(t *testing.T) {
	dir := runtimeDir(t)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "SOCKET_TEST_HOLD="+filepath.Clean(dir.Path("")))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != string(socket.Bound) {
		t.Fatalf("%q, %v", line, err)
	}
	if got := ownerName(t, dir); got != "child" {
		t.Errorf("%q answers", got)
	}
	next := hold(t, dir, "next")
	next.waitFor(socket.Waiting)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	next.waitFor(socket.Bound)
	_ = child.Wait() // the process was killed
	if got := ownerName(t, dir); got != "next" {
		t.Errorf("%q answers", got)
	}
}

func TestOnlyItsUserCanReachTheSocket(t *testing.T) {
	dir := runtimeDir(t)
	hold(t, dir, "a").waitFor(socket.Bound)
	info, err := os.Lstat(dir.Path(socket.Name))
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestOnlyOneHolderHasTheSocketAtATime(t *testing.T) {
	dir := runtimeDir(t)
	const many = 20
	bound := make(chan int, many)
	ends := make([]context.CancelFunc, many)
	done := make(chan error, many)
	for i := range many {
		var ctx context.Context
		ctx, ends[i] = context.WithCancel(context.Background())
		h := socket.Holder{Dir: dir, Serve: greet(fmt.Sprint(i)), Report: func(e socket.Event) {
			switch e.Kind {
			case socket.Bound:
				bound <- i
			case socket.Failed:
				t.Error(e.Err)
			}
		}}
		go func() { done <- h.Hold(ctx) }()
	}
	for range many {
		owner := <-bound
		if got := ownerName(t, dir); got != fmt.Sprint(owner) || len(bound) != 0 {
			t.Errorf("%s answers, but %d is the owner, and %d others are bound", got, owner, len(bound))
		}
		ends[owner]()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestAnObstacleIsReportedAndNotRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(t *testing.T, path string) (remove func())
		want string
	}{
		"a file": {func(t *testing.T, path string) func() {
			write(t, path)
			return func() { _ = os.Remove(path) }
		}, "is not a socket; remove it"},
		"a link": {func(t *testing.T, path string) func() {
			write(t, path+".target")
			if err := os.Symlink(path+".target", path); err != nil {
				t.Fatal(err)
			}
			return func() { _ = os.Remove(path) }
		}, "is not a socket; remove it"},
		"a program without the lock": {func(t *testing.T, path string) func() {
			other, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			return func() { _ = other.Close() }
		}, "another program listens on"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtimeDir(t)
			remove := c.put(t, dir.Path(socket.Name))
			h := hold(t, dir, "a")
			if e := h.waitFor(socket.Failed); !strings.Contains(e.Err.Error(), c.want) ||
				!strings.Contains(e.Err.Error(), dir.Path(socket.Name)) {
				t.Errorf("got %v", e.Err)
			}
			remove()
			h.waitFor(socket.Bound)
		})
	}
}

func TestASocketOfAnotherProcessIsNotRemoved(t *testing.T) {
	dir := runtimeDir(t)
	h := hold(t, dir, "a")
	h.waitFor(socket.Bound)
	if err := os.Remove(dir.Path(socket.Name)); err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("unix", dir.Path(socket.Name))
	if err != nil {
		t.Fatal(err)
	}
	h.stop()
	if err := other.(*net.UnixListener).SetDeadline(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if c, err := net.Dial("unix", dir.Path(socket.Name)); err != nil {
		t.Error("the socket of the other process was removed")
	} else {
		_ = c.Close()
	}
	_ = other.Close()
}

func TestAWaitingHolderCanBeStopped(t *testing.T) {
	dir := runtimeDir(t)
	hold(t, dir, "first").waitFor(socket.Bound)
	second := hold(t, dir, "second")
	second.waitFor(socket.Waiting)
	second.stop()
}

func TestATooLongPathIsReportedWithTheRemedy(t *testing.T) {
	dir, err := private.Open(filepath.Join(t.TempDir(), strings.Repeat("x", 100)))
	if err != nil {
		t.Fatal(err)
	}
	h := hold(t, dir, "a")
	if e := h.waitFor(socket.Failed); !strings.Contains(e.Err.Error(), "set GUARDRAILS_CACHE_DIR to a folder with a shorter path") {
		t.Errorf("got %v", e.Err)
	}
}
