//go:build unix

package socket_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/internal/private"
	"guardrails/server/socket"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("SOCKET_TEST_HOLD"); dir != "" {
		holdAsChild(dir)
		return
	}
	os.Exit(m.Run())
}

// holdAsChild runs in a child process of the test. It holds the socket until the test kills the process.
func holdAsChild(path string) {
	dir, err := private.Open(path)
	if err != nil {
		panic(err)
	}
	h := socket.Holder{Dir: dir, Serve: greet("child"), Report: func(e socket.Event) { fmt.Println(e.Kind) }}
	panic(h.Hold(context.Background()))
}

// greet() returns a function for Holder.Serve that answers each connection with the given name.
func greet(name string) func(context.Context, net.Listener) error {
	return func(ctx context.Context, on net.Listener) error {
		stop := context.AfterFunc(ctx, func() { _ = on.Close() })
		defer stop()
		for {
			c, err := on.Accept()
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			if err != nil {
				return err
			}
			_, err = io.WriteString(c, name)
			if err = errors.Join(err, c.Close()); err != nil {
				return err
			}
		}
	}
}

// runtimeDir creates a runtime folder whose path is short enough for a socket.
func runtimeDir(t *testing.T) *private.Dir {
	t.Helper()
	base, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	dir, err := private.Open(filepath.Join(base, "run"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

type runningHolder struct {
	t      *testing.T
	events chan socket.Event
	end    context.CancelFunc
	done   chan error
}

func hold(t *testing.T, dir *private.Dir, name string) *runningHolder {
	ctx, cancel := context.WithCancel(context.Background())
	h := &runningHolder{t: t, events: make(chan socket.Event, 100), end: cancel, done: make(chan error, 1)}
	holder := socket.Holder{
		Dir: dir, Serve: greet(name), Report: func(e socket.Event) { h.events <- e },
		Retry: time.Millisecond,
	}
	go func() { h.done <- holder.Hold(ctx) }()
	t.Cleanup(h.stop)
	return h
}

func (h *runningHolder) stop() {
	h.end()
	select {
	case err := <-h.done:
		if err != nil {
			h.t.Error(err)
		}
		h.done <- nil
	case <-time.After(time.Minute):
		h.t.Error("the holder does not stop")
	}
}

func (h *runningHolder) waitFor(kind socket.Kind) socket.Event {
	h.t.Helper()
	for {
		select {
		case e := <-h.events:
			if e.Kind == kind {
				return e
			}
		case <-time.After(time.Minute):
			h.t.Fatalf("the holder did not report %s", kind)
		}
	}
}

// ownerName connects to the socket and returns the name in the answer. If no process answers, the result is "".
func ownerName(t *testing.T, dir *private.Dir) string {
	t.Helper()
	c, err := net.Dial("unix", dir.Path(socket.Name))
	if err != nil {
		return ""
	}
	defer func() { _ = c.Close() }()
	text, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
