package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/server"
	"guardrails/server/access"
	"guardrails/server/lock"
	"guardrails/service"
)

// pageHolder offers the page at an address of this computer. One process of a user has the address; when it ends,
// another one takes over. A server that a person has started goes before the servers that the client starts.
type pageHolder struct {
	dir     *private.Dir
	address string
	// place describes the page.
	place page.Place
	serve func(ctx context.Context, on net.Listener) error
	log   *slog.Logger
	// problem is the problem that was logged last. It is logged only once, although the holder tries again.
	problem string
}

// pageRetry is the time that a holder waits after a failure, and pageCheck is the time between two checks whether
// another server wants the address.
const (
	pageRetry = 2 * time.Second
	pageCheck = 500 * time.Millisecond
)

// hold offers the page until the context is done.
func (h *pageHolder) hold(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.turn(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && err.Error() != h.problem {
			h.problem = err.Error()
			h.log.Warn("this server does not offer the page", "address", h.address, "error", err)
		}
		if err != nil {
			pause(ctx, pageRetry)
		}
	}
}

func pause(ctx context.Context, wait time.Duration) {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// turn waits for the lock and serves, until the context is done or another server wants the address.
func (h *pageHolder) turn(ctx context.Context) error {
	held, err := lock.Take(ctx, h.dir, page.Lock, func() {})
	if err != nil {
		return err
	}
	if isWanted(h.dir) {
		return errors.Join(held.Release(), letPass(ctx, h.dir))
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.address)
	if err != nil {
		return errors.Join(fmt.Errorf("another program may have the address: %w", cause(err)), held.Release())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for ctx.Err() == nil && !isWanted(h.dir) {
			pause(ctx, pageCheck)
		}
		stop()
	}()
	open := h.place
	open.Address = on.Addr().String()
	shown, err := show(ctx, h.dir, open)
	if err != nil {
		return errors.Join(err, on.Close(), held.Release())
	}
	h.problem = ""
	// The address is free for the next process at once, while this process finishes the running requests.
	handed := make(chan error, 1)
	leave := func() error { return errors.Join(shown.Release(), closed(on), held.Release()) }
	cancel := context.AfterFunc(ctx, func() { handed <- leave() })
	err = h.serve(ctx, on)
	if cancel() {
		return errors.Join(err, leave())
	}
	return errors.Join(err, <-handed)
}

// show lets other processes find the page of this process until the lock is released.
func show(ctx context.Context, dir *private.Dir, p page.Place) (*lock.Lock, error) {
	if err := page.Write(dir, p); err != nil {
		return nil, err
	}
	shown, err := lock.Take(ctx, dir, page.Shown, func() {})
	if err != nil {
		return nil, err
	}
	return shown, nil
}

// closed closes a listener that may be closed already.
func closed(on net.Listener) error {
	if err := on.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// isWanted reports whether a server that a person has started wants the address.
func isWanted(dir *private.Dir) bool {
	l, err := lock.Open(dir, page.Wanted)
	if err != nil {
		return false
	}
	free, err := l.Try()
	return errors.Join(err, l.Release()) == nil && !free
}

// letPass waits until the server that wants the address has ended.
func letPass(ctx context.Context, dir *private.Dir) error {
	l, err := lock.Take(ctx, dir, page.Wanted, func() {})
	if err != nil {
		return err
	}
	return l.Release()
}

// holdPage offers the page until the context is done, unless the settings switch it off. If that fails, the server works
// without the page, and the log says why.
func (w *System) holdPage(ctx context.Context, f *Flags, s *server.Server, keys *atomic.Pointer[access.Keyring], log *slog.Logger) {
	settings, err := w.settings(ctx, f)
	if err != nil || settings.NoPage {
		return // a problem of the settings is reported by everything that needs them
	}
	address := cmp.Or(w.Env(AddressVariable), DefaultAddress)
	if !page.IsLocal(address) {
		log.Info("the page is offered on this computer only", "address", address)
		return
	}
	dir, err := private.Runtime(w.Env)
	if err != nil {
		log.Warn("this server does not offer the page", "error", err)
		return
	}
	h := pageHolder{
		dir: dir, address: address, log: log,
		place: page.Place{Store: service.StoreKey(settings), Tenant: settings.Tenant},
		serve: func(ctx context.Context, on net.Listener) error {
			_, opened, _, err := w.keys(settings.Tenant)
			if err != nil {
				return errors.Join(err, on.Close())
			}
			keys.Store(opened)
			sessions, err := w.sessions(opened, on.Addr(), false)
			if err != nil {
				return errors.Join(err, on.Close())
			}
			log.Info("offering the page", "address", on.Addr())
			return s.ServePort(ctx, on, server.Guard{
				Who: opened.Who, Sessions: sessions, Tokens: opened.Tokens(), Hosts: server.LocalHosts(on.Addr()),
			})
		},
	}
	h.hold(ctx)
}

// pageClaim is the right of a server that a person has started to the address of the page.
type pageClaim struct {
	dir *private.Dir
	// shown is nil until the server shows the page.
	wanted, held, shown *lock.Lock
}

// wantTime is how long a server waits until no other server of a person wants the address. claimTime is how long it then
// waits until a server of a session has left the address. Usually, this takes half a second.
const (
	wantTime  = 5 * time.Second
	claimTime = 30 * time.Second
)

// claimPage makes the servers that the client started leave an address, if it is the address of the page. It returns
// nil if there is nothing to claim, or if another server has claimed it; then listening fails.
func (w *System) claimPage(ctx context.Context, address string) *pageClaim {
	dir, err := private.Runtime(w.Env)
	if err != nil || address != cmp.Or(w.Env(AddressVariable), DefaultAddress) || !page.IsLocal(address) {
		return nil
	}
	wanted, err := takeWithin(ctx, wantTime, dir, page.Wanted)
	if err != nil {
		return nil
	}
	held, err := takeWithin(ctx, claimTime, dir, page.Lock)
	if err != nil {
		_ = wanted.Release() // listening says what is wrong
		return nil
	}
	return &pageClaim{dir: dir, wanted: wanted, held: held}
}

func takeWithin(ctx context.Context, limit time.Duration, dir *private.Dir, name string) (*lock.Lock, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	return lock.Take(ctx, dir, name, func() {})
}

// show lets other processes find the page.
func (c *pageClaim) show(ctx context.Context, p page.Place) (err error) {
	if c != nil {
		c.shown, err = show(ctx, c.dir, p)
	}
	return err
}

// release gives the address back.
func (c *pageClaim) release() error {
	if c == nil {
		return nil
	}
	var err error
	if c.shown != nil {
		err = c.shown.Release()
	}
	return errors.Join(err, c.held.Release(), c.wanted.Release())
}
