package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/host"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/server"
	"guardrails/server/lock"
)

// pageHolder offers the page at an address of this computer. Only one process of a user has the address. When this
// process ends, another process takes over the address. A server that a person has started takes precedence over the
// servers that the client starts.
type pageHolder struct {
	dir     *private.Dir
	address string
	// The field "place" describes the page.
	place page.Place
	serve func(ctx context.Context, on net.Listener) error
	log   *slog.Logger
	// The field "problem" is the problem that was logged last. If the holder tries again and has the same problem, it
	// does not log the problem a second time.
	problem string
}

// pageRetry is how long a holder waits after a failure. pageCheck is the time after which a holder checks again whether
// another server wants the address.
const (
	pageRetry = 2 * time.Second
	pageCheck = 500 * time.Millisecond
)

// hold() offers the page until the context is done.
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

// turn() waits for the lock. It then serves the page until the context is done or another server wants the address.
func (h *pageHolder) turn(ctx context.Context) error {
	held, err := lock.Take(ctx, h.dir, page.Lock, func() {})
	if err != nil {
		return err
	}
	if page.IsWanted(h.dir) {
		return errors.Join(held.Release(), letPass(ctx, h.dir))
	}
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", h.address)
	if err != nil {
		return errors.Join(fmt.Errorf("another program may be using the address: %w", cause(err)), held.Release())
	}
	on := &closedOnce{Listener: port}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for ctx.Err() == nil && !page.IsWanted(h.dir) {
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
	// The next process can get the address immediately. In the meantime, this process finishes the running requests.
	handed := make(chan error, 1)
	leave := func() error { return errors.Join(shown.Release(), on.Close(), held.Release()) }
	cancel := context.AfterFunc(ctx, func() { handed <- leave() })
	err = h.serve(ctx, on)
	if cancel() {
		return errors.Join(err, leave())
	}
	return errors.Join(err, <-handed)
}

// show() writes a note with which other processes find the page of this process. The note is valid until the lock is
// released.
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

// closedOnce is a listener that both the holder and the server close.
type closedOnce struct {
	net.Listener
	once sync.Once
	err  error
}

func (l *closedOnce) Close() error {
	l.once.Do(func() { l.err = l.Listener.Close() })
	return l.err
}

// letPass waits until the server that wants the address has ended or no longer wants it.
func letPass(ctx context.Context, dir *private.Dir) error {
	l, err := lock.Take(ctx, dir, page.Wanted, func() {})
	if err != nil {
		return err
	}
	return l.Release()
}

// holdPage offers the page until the context is done. If the settings switch the page off, it does nothing. If the
// server cannot offer the page, the server works without the page, and the log says why.
func (w *System) holdPage(ctx context.Context, f *Flags, s *server.Server, log *slog.Logger) {
	const without = "this server does not offer the page"
	settings, err := w.settingsOfPage(ctx, f, log)
	if err != nil || settings.NoPage {
		return
	}
	address, err := localAddress(cmp.Or(w.Env(AddressVariable), DefaultAddress))
	if err != nil {
		log.Warn(without, "error", err)
		return
	}
	dir, err := private.Runtime(w.Env)
	if err != nil {
		log.Warn(without, "error", err)
		return
	}
	h := pageHolder{
		dir: dir, address: address, log: log, place: w.placeOf(settings),
		serve: func(ctx context.Context, on net.Listener) error {
			_, opened, _, err := w.keys(settings.Tenant)
			if err != nil {
				return errors.Join(err, on.Close())
			}
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

// settingsOfPage reads the settings. If the settings have a mistake, the method tries again, because a person may
// correct the settings in the meantime.
func (w *System) settingsOfPage(ctx context.Context, f *Flags, log *slog.Logger) (*config.Config, error) {
	settings, err := w.settings(ctx, f)
	for said := false; err != nil && ctx.Err() == nil; settings, err = w.settings(ctx, f) {
		if !said {
			log.Warn("this server does not offer the page until its settings can be read", "error", err)
			said = true
		}
		pause(ctx, pageRetry)
	}
	return settings, err
}

// placeOf describes the page of this process, without its address.
func (w *System) placeOf(settings *config.Config) page.Place {
	return page.Place{Store: settings.StoreKey(), Tenant: settings.Tenant, Root: host.Root(w.Env, w.Dir)}
}

// localAddress returns the address for the server of a session, which offers the page only on this computer.
func localAddress(given string) (string, error) {
	name, port, err := net.SplitHostPort(given)
	if err == nil && name == "localhost" {
		given = net.JoinHostPort("127.0.0.1", port)
	}
	if !page.IsLocal(given) {
		return "", fmt.Errorf("%s %s is not an address of this computer, such as %s", AddressVariable, given, DefaultAddress)
	}
	return given, nil
}

// pageClaim holds the locks with which a server reserves the address of the page.
type pageClaim struct {
	dir *private.Dir
	// The lock "wanted" is nil if no person has started the server. The lock "shown" is nil until the server shows the
	// page.
	wanted, held, shown *lock.Lock
}

// A server that a person has started claims the address in two steps. First, it waits at most wantTime for other
// servers that a person has started. Then it waits at most claimTime until a server of a session has given up the
// address. Usually, this takes half a second.
const (
	wantTime  = 5 * time.Second
	claimTime = 30 * time.Second
)

// claimPage claims the port of an address for this server. The client may have started other servers. If a person has
// started this server, the other servers give up the port. claimPage returns nil if there is nothing to claim. It also
// returns nil if another server keeps the port. The server then fails to listen on the port later.
func (w *System) claimPage(ctx context.Context, address string, log *slog.Logger) *pageClaim {
	dir, err := private.Runtime(w.Env)
	if err != nil || !w.sharesPort(dir, address) {
		return nil
	}
	if w.Person != nil && w.Person() != nil {
		return claimFree(dir)
	}
	wanted, err := takeWithin(ctx, wantTime, dir, page.Wanted, func() {})
	if err != nil {
		return nil
	}
	held, err := takeWithin(ctx, claimTime, dir, page.Lock, func() {
		log.Info("waiting until the server of a session stops using the address", "address", address)
	})
	if err != nil {
		_ = wanted.Release() // the server will fail to listen, and that error says why
		return nil
	}
	return &pageClaim{dir: dir, wanted: wanted, held: held}
}

// claimFree claims the address of the page if no other server has it. Otherwise it returns nil.
func claimFree(dir *private.Dir) *pageClaim {
	held, err := lock.Open(dir, page.Lock)
	if err != nil {
		return nil
	}
	if free, err := held.Try(); err != nil || !free {
		_ = held.Release() // the server will fail to listen, and that error says why
		return nil
	}
	return &pageClaim{dir: dir, held: held}
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// sharesPort reports whether a server of a session may listen on the port of an address.
func (w *System) sharesPort(dir *private.Dir, address string) bool {
	here, ok := page.Reach(address)
	if !ok {
		return false
	}
	known := []string{cmp.Or(w.Env(AddressVariable), DefaultAddress)}
	if at, found := page.Find(dir); found {
		known = append(known, at.Address)
	}
	return slices.ContainsFunc(known, func(address string) bool { return portOf(address) == portOf(here) })
}

func takeWithin(
	ctx context.Context, limit time.Duration, dir *private.Dir, name string, waiting func(),
) (*lock.Lock, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	return lock.Take(ctx, dir, name, waiting)
}

// show() lets other processes find the page.
func (c *pageClaim) show(ctx context.Context, p page.Place) (err error) {
	if c != nil {
		c.shown, err = show(ctx, c.dir, p)
	}
	return err
}

// release() gives up the address.
func (c *pageClaim) release() error {
	if c == nil {
		return nil
	}
	var err error
	if c.shown != nil {
		err = c.shown.Release()
	}
	if c.wanted != nil {
		// If the address still counted as wanted, the next holder would give it up again.
		err = errors.Join(err, c.wanted.Release())
	}
	return errors.Join(err, c.held.Release())
}
