// Package socket holds the Unix socket on which hooks reach a server: one process of a user has it, the others wait for
// their turn.
//
// Start with Hold. Who may bind is settled by a lock on a file beside the socket, which the system takes from a process
// in the moment in which it ends, however it ends; so nobody has to guess whether a socket that lies there is still
// somebody's.
package socket

import (
	"context"
	"errors"
	"net"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Name is the socket's name in the runtime folder; hooks know it.
const Name = product.SocketFile

const (
	lockName = "server.lock"
	// draftName is what the socket is called until it can be used. It is no longer than Name: a path has its limit.
	draftName = "server.new"
)

// retry is how long a holder waits before it tries again what did not work.
const retry = 2 * time.Second

// ErrUnsupported says that there are no such sockets here.
var ErrUnsupported = errors.New("hooks cannot reach a server on this system; they answer by themselves")

// Holder wants the socket.
type Holder struct {
	// Dir is the runtime folder.
	Dir *private.Dir
	// Serve answers on the socket until its context ends, and closes it.
	Serve func(ctx context.Context, on net.Listener) error
	// Report is told what happens; nil where nobody wants to know.
	Report func(Event)
	// Retry is how long to wait after something failed; 0 is two seconds.
	Retry time.Duration
}

// Event is something that happens to a holder: it waits for another one, it has the socket, or something failed.
type Event struct {
	Kind Kind
	Path string
	Err  error
}

// Kind is what happened.
type Kind string

// The kinds of events.
const (
	Waiting Kind = "waiting"
	Bound   Kind = "bound"
	Failed  Kind = "failed"
)

// Hold waits until the socket is free, serves on it until the context ends, and gives it back. It returns nil then, or
// ErrUnsupported at once.
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

// unlessDone is the error, but for what only says that the context has ended.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// turn waits for the lock, binds and serves.
func (h *Holder) turn(ctx context.Context) error {
	lock, err := h.lock(ctx)
	if err != nil {
		return err
	}
	on, err := bind(h.Dir)
	if err != nil {
		return errors.Join(err, lock.release())
	}
	h.report(Event{Kind: Bound, Path: h.Dir.Path(Name)})
	// The name goes first, so that hooks turn elsewhere, and with the lock the next one may have it; then what was begun
	// is brought to its end.
	handed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { handed <- errors.Join(on.withdraw(), lock.release()) })
	err = h.Serve(ctx, on)
	if stop() {
		return errors.Join(err, on.withdraw(), lock.release())
	}
	return errors.Join(err, <-handed)
}

// lock waits for its turn.
func (h *Holder) lock(ctx context.Context) (*lock, error) {
	l, err := openLock(h.Dir)
	if err != nil {
		return nil, err
	}
	if taken, err := l.try(); err != nil || taken {
		return l, l.orClose(err)
	}
	h.report(Event{Kind: Waiting, Path: h.Dir.Path(Name)})
	got := make(chan error, 1)
	go func() { got <- l.wait() }()
	select {
	case err := <-got:
		return l, l.orClose(err)
	case <-ctx.Done():
		// The system gives no way to stop waiting: whoever gets the lock after all gives it back.
		go func() { _ = errors.Join(<-got, l.release()) }()
		return nil, ctx.Err()
	}
}

func (h *Holder) report(e Event) {
	if h.Report != nil {
		h.Report(e)
	}
}

// rest waits a while; it is false when the context ended meanwhile.
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
