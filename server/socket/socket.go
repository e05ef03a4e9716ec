// Package socket manages the Unix socket on which hooks reach a server. One process of a user owns the socket. Other
// processes wait until this process ends.
//
// Start with Holder.Hold. A lock on a file beside the socket decides which process owns the socket. The system releases
// the lock when the process ends, even after a crash, so no process has to guess whether a socket is still in use.
package socket

import (
	"context"
	"errors"
	"net"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server/lock"
)

// Name is the name of the socket in the runtime folder. Hooks use the same name.
const Name = product.SocketFile

const (
	lockName = "server.lock"
	// draftName is the name of a socket that is not ready yet. It must not be longer than Name, because the length of a
	// socket's path is limited.
	draftName = "server.new"
)

// The constant "retry" is the time that a holder waits after a failure.
const retry = 2 * time.Second

// ErrUnsupported is returned on systems without Unix sockets for hooks.
var ErrUnsupported = errors.New("hooks cannot reach a server on this system; they decide without one")

// Holder waits for the socket and serves on it.
type Holder struct {
	// Dir is the runtime folder.
	Dir *private.Dir
	// Serve answers on the socket until the context ends, and closes the socket.
	Serve func(ctx context.Context, on net.Listener) error
	// Report is called for every event; it may be nil.
	Report func(Event)
	// Retry is the time to wait after a failure; 0 means two seconds.
	Retry time.Duration
}

// Event says that a Holder is waiting for another process, has bound the socket, or has failed.
type Event struct {
	Kind Kind
	Path string
	Err  error
}

// Kind is the kind of an event.
type Kind string

// The kinds of events.
const (
	Waiting Kind = "waiting"
	Bound   Kind = "bound"
	Failed  Kind = "failed"
)

// Hold waits until the socket is free, serves on it until the context is done, and releases it. It then returns nil. If
// the system does not support sockets, it returns ErrUnsupported immediately.
func (h *Holder) Hold(ctx context.Context) error {
	for {
		err := h.turn(ctx)
		if errors.Is(err, ErrUnsupported) || ctx.Err() != nil {
			return unlessDone(ctx, err)
		}
		if err != nil {
			h.report(Event{Kind: Failed, Path: h.Dir.Path(Name), Err: err})
		}
		if !h.rest(ctx) {
			return nil
		}
	}
}

// unlessDone returns nil if the context is done, and otherwise err.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// turn() waits for the lock, binds the socket and serves on it.
func (h *Holder) turn(ctx context.Context) error {
	held, err := lock.Take(ctx, h.Dir, lockName, func() { h.report(Event{Kind: Waiting, Path: h.Dir.Path(Name)}) })
	if err != nil {
		return err
	}
	on, err := bind(h.Dir)
	if err != nil {
		return errors.Join(err, held.Release())
	}
	h.report(Event{Kind: Bound, Path: h.Dir.Path(Name)})
	// First, remove the name of the socket, so that hooks send no more requests to this process. Then release the lock for
	// the next process, while this process finishes the running requests.
	handed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { handed <- errors.Join(on.withdraw(), held.Release()) })
	err = h.Serve(ctx, on)
	if stop() {
		return errors.Join(err, on.withdraw(), held.Release())
	}
	return errors.Join(err, <-handed)
}

func (h *Holder) report(e Event) {
	if h.Report != nil {
		h.Report(e)
	}
}

// rest() waits after a failure. It returns false if the context is done before the wait ends.
func (h *Holder) rest(ctx context.Context) bool {
	wait := h.Retry
	if wait == 0 {
		wait = retry
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
