// Package process is the program guardrails-server: a server on stdio, or on a port, until it is told to end.
//
// Start with Run. It is a program of its own because the library for MCP takes longer to start than everything else
// that the command line does, and hooks start the command line when no server runs.
package process

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"guardrails/catalog"
	"guardrails/config"
	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/server"
	"guardrails/server/socket"
	"guardrails/service"
	"guardrails/stores"
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
	AddressVariable = "GUARDRAILS_ADDR"
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
	if len(args) == 1 && args[0] == OnStdio {
		return w.onStdio(ctx)
	}
	if len(args) == 0 || args[0] != OnPort {
		return &usage{"this program is started by guardrails mcp and guardrails serve; run those"}
	}
	f, err := parse(args[1:])
	if err != nil {
		return &usage{err.Error()}
	}
	return w.onPort(ctx, f)
}

// Flags say where a server listens and how it says so.
type Flags struct {
	// Address is HOST:PORT; empty leaves it to the environment.
	Address string
	// Hosts are further names by which the server may be asked.
	Hosts []string
	// JSON announces the server to programs.
	JSON bool
}

func parse(args []string) (*Flags, error) {
	var f Flags
	set := flag.NewFlagSet(OnPort, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.Address, "addr", "", "")
	set.BoolVar(&f.JSON, "json", false, "")
	set.Func("host", "", func(name string) error {
		f.Hosts = append(f.Hosts, name)
		return nil
	})
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, errors.New("serve takes flags only")
	}
	return &f, nil
}

// server makes a server. Who starts one to keep guidelines in it gets a database with it.
func (w *World) server(log *slog.Logger, create bool) *server.Server {
	open := func(ctx context.Context, c *config.Config) (*catalog.Catalog, error) {
		return stores.Open(ctx, c, stores.Options{Env: w.Env, Now: w.Now, Mask: hooks.Mask, Make: create})
	}
	o := service.Options{Env: w.Env, Now: w.Now, Dir: w.Dir, Mask: hooks.Mask, Open: open}
	return server.New(server.Options{Service: o, Version: w.Version, Log: log})
}

func (w *World) log(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w.Stderr, &slog.HandlerOptions{Level: level}))
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
	dir, err := session.Open(w.Env)
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

// onStdio answers the client that started this.
func (w *World) onStdio(ctx context.Context) error {
	log := w.log(slog.LevelWarn)
	s := w.server(log, false)
	return w.beside(ctx, s, log, func(ctx context.Context) error { return s.ServeStdio(ctx, w.Stdin, w.Stdout) })
}

// cause is an error without the address that the reader knows.
func cause(err error) error {
	if at, ok := errors.AsType[*net.OpError](err); ok {
		return at.Err
	}
	return err
}
