// Package process is the program guardrails-server: a server on stdio, or on a port, until it is told to end.
//
// Start with Run. It is a program of its own because the library for MCP takes longer to start than everything else
// that the command line does, and hooks start the command line when no server runs.
package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server"
	"guardrails/server/socket"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/open"
)

// World is everything outside the program that it touches.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Dir            string
	Now            func() time.Time
	// Version is the product's.
	Version string
	// User is the person whose process this is.
	User string
	// HangUp tells that everything is to be read anew; nil where nothing does.
	HangUp <-chan struct{}
}

// The two kinds of servers, as they are called on the command line.
const (
	OnStdio = "mcp"
	OnPort  = "serve"
)

// DefaultAddress is where a server listens that is told nothing else; AddressVariable is what tells it.
const (
	DefaultAddress  = "127.0.0.1:7117"
	AddressVariable = product.VariableAddress
)

// Run is the program, until the context ends; it returns the exit code.
func Run(ctx context.Context, args []string, w *World) int {
	err := w.run(ctx, args)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintln(w.Stderr, "guardrails: "+err.Error()) // where stderr is closed, the exit code still speaks
	if _, wrong := errors.AsType[*usage](err); wrong {
		return 2
	}
	return 1
}

// usage is an error of whoever wrote the command line.
type usage struct{ text string }

func (u *usage) Error() string { return u.text }

func (w *World) run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != OnPort && args[0] != OnStdio {
		return &usage{"this program is started by guardrails mcp and guardrails serve; run those"}
	}
	f, err := parse(args[0], args[1:])
	if err != nil {
		return &usage{err.Error()}
	}
	if args[0] == OnStdio {
		return w.onStdio(ctx, f)
	}
	return w.under(f).onPort(ctx, f)
}

// server makes a server. Who starts one to keep guidelines in it gets a database with it.
func (w *World) server(log *slog.Logger, f *Flags, tenant string, create bool) *server.Server {
	made := func(path string) {
		log.Warn("there was no database: a new one was made, without guidelines", "path", path)
	}
	open := func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: w.Env, Now: w.Now, Mask: hooks.Mask, Make: create, Made: made})
	}
	o := service.Options{Env: w.Env, Now: w.Now, Dir: w.Dir, Mask: hooks.Mask, Open: open}
	return server.New(server.Options{Service: o, Version: w.Version, Log: log, Tenant: tenant, User: cmp.Or(w.User, "somebody"), Admin: f.Admin})
}

// log writes for people, or for programs. No secret gets into it: what is logged is names, places and errors.
func (w *World) log(level slog.Level, f *Flags) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if f.LogFormat == logJSON {
		return slog.New(slog.NewJSONHandler(w.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(w.Stderr, o))
}

// beside answers hooks on the socket while something else is done, and ends with it.
func (w *World) beside(ctx context.Context, s *server.Server, log *slog.Logger, something func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var holding sync.WaitGroup
	holding.Go(func() { w.holdSocket(ctx, s, log) })
	holding.Go(func() { s.Upkeep(ctx) })
	err := something(ctx)
	stop()
	holding.Wait()
	return errors.Join(err, s.Close())
}

// holdSocket answers hooks. Where that cannot be, they answer by themselves, and the log says why.
func (w *World) holdSocket(ctx context.Context, s *server.Server, log *slog.Logger) {
	dir, err := private.Runtime(w.Env)
	if err == nil {
		err = s.HoldSocket(ctx, dir)
	}
	switch {
	case errors.Is(err, socket.ErrUnsupported):
		log.Info(err.Error())
	case err != nil:
		log.Error("hooks are not answered by this server", "error", err)
	}
}

// onStdio answers the client that started this. Without the tenant only the tools that need it are missing.
func (w *World) onStdio(ctx context.Context, f *Flags) error {
	log := w.log(slog.LevelWarn, f)
	tenant, err := w.tenant()
	if err != nil && f.Admin {
		return err
	}
	s := w.server(log, f, tenant, false)
	return w.beside(ctx, s, log, func(ctx context.Context) error { return s.ServeStdio(ctx, w.Stdin, w.Stdout) })
}

// cause is an error without the address that the reader knows.
func cause(err error) error {
	if at, ok := errors.AsType[*net.OpError](err); ok {
		return at.Err
	}
	return err
}
