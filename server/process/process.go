// Package process is the program guardrails-server: a server on stdio or on a port.
//
// Start with Run. The server is a separate program, because the MCP library takes longer to start than the rest of the
// product. If no server runs, hooks start the program guardrails. So guardrails must start fast, and does not contain
// the library.
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
	"guardrails/internal/kernelclock"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server"
	"guardrails/server/socket"
	"guardrails/service"
	"guardrails/service/storefault"
	"guardrails/store/live"
	"guardrails/store/open"
)

// System holds the streams, the environment and the clock that the program uses.
type System struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Dir            string
	Now            func() time.Time
	// The function Kernel asks the kernel about the clock. It may be nil.
	Kernel func() (kernelclock.Reading, bool)
	// Version is the version of the product.
	Version string
	// User is the name of the user who runs the process.
	User string
	// Program is the path of the running program, or "" if it is unknown.
	Program string
	// Person returns an error unless a person has started the program. If Person is nil, this is not checked.
	Person func() error
	// PersonOrClient is like Person, but it also returns nil if the client itself has started the program.
	PersonOrClient func() error
	// Browser opens a file in the user's browser.
	Browser func(path string) error
	// The channel HangUp receives a value when the server must read everything again. It may be nil.
	HangUp <-chan struct{}
}

// The names of the commands. OnStdio starts a server on stdio. OnPort starts a server on a port.
const (
	OnStdio = "mcp"
	OnPort  = "serve"
)

// DefaultAddress is the server's address if neither a flag nor AddressVariable sets one.
const (
	DefaultAddress  = page.DefaultAddress
	AddressVariable = product.VariableAddress
)

// Run runs the program until the context ends. It returns the exit code.
func Run(ctx context.Context, args []string, w *System) int {
	err := w.run(ctx, args)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintln(w.Stderr, "guardrails: "+err.Error()) // if stderr is closed, the exit code shows the failure
	if _, wrong := errors.AsType[*usage](err); wrong {
		return 2
	}
	return 1
}

// The type "usage" is the error for a wrong command line.
type usage struct{ text string }

func (u *usage) Error() string { return u.text }

func (w *System) run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != OnPort && args[0] != OnStdio {
		return &usage{`this program is started by "guardrails mcp" and "guardrails serve"; run one of them`}
	}
	f, err := parse(args[0], args[1:])
	if err != nil {
		return &usage{err.Error()}
	}
	if err := w.mayGive(f, args[0]); err != nil {
		return err
	}
	if args[0] == OnStdio {
		return w.onStdio(ctx, f)
	}
	return w.withFlags(f).onPort(ctx, f)
}

// mayGive returns an error if an agent started the program with a flag that gives away the rights to change guidelines.
// With --admin, the server offers the tools for such changes. With --open, it shows a code that signs in the owner. The
// client may start a server on stdio for itself.
func (w *System) mayGive(f *Flags, command string) error {
	check := w.Person
	if command == OnStdio {
		check = w.PersonOrClient
	}
	if check == nil || !f.Admin && f.Open == "" {
		return nil
	}
	err := check()
	switch {
	case err == nil:
		return nil
	case f.Open != "":
		return fmt.Errorf("--open: only a person may open the page, which has all rights of the owner, but %w; run "+
			"guardrails ui in a terminal that you opened yourself", err)
	}
	return fmt.Errorf("--admin: only a person may offer the tools that change guidelines, but %w; start the server in a "+
		"terminal that you opened yourself, or add --admin to the arguments of the server in .mcp.json and start Claude Code in such a terminal", err)
}

// server() returns a server. The parameter "tenants" is nil or a function that returns the tenants with a token. If the
// parameter "create" is set, the server creates a missing default database.
func (w *System) server(
	log *slog.Logger, f *Flags, tenant string, tenants func() []string, create bool,
) *server.Server {
	made := func(path string) {
		log.Warn("there was no database, so an empty one was created", "path", path)
	}
	o := service.Options{
		Env: w.Env, Now: w.Now, Kernel: w.Kernel, Dir: w.Dir, Mask: hooks.Mask, Open: w.opener(f, made, create), Flags: f.setting,
		Tenants: tenants, Policies: f.Policies, MemoryLimit: f.share(),
	}
	return server.New(server.Options{
		Service: o, Version: w.Version, Log: log, Tenant: tenant,
		User: cmp.Or(w.User, "somebody"), Admin: f.Admin, Changes: f.Changes,
	})
}

// opener() returns a function that opens the store that the settings name. If the parameter "create" is set, the
// function creates a missing default database and calls made().
func (w *System) opener(
	f *Flags, made func(path string), create bool,
) func(context.Context, *config.Config) (*live.Store, error) {
	return func(ctx context.Context, c *config.Config) (*live.Store, error) {
		opened, err := open.Open(ctx, c, open.Options{
			Env: w.Env, Now: w.Now, Mask: hooks.Mask, Make: create, Made: made, Seen: storefault.StoreSeen(w.Env, w.Now),
			Memory: f.share(),
		})
		if err == nil {
			storefault.GuardWrites(w.Env, w.Now, c, opened)
		}
		return opened, err
	}
}

// log() returns a logger that writes in the chosen format. The log has only names, places and errors, and never a
// secret.
func (w *System) log(level slog.Level, f *Flags) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if f.LogFormat == logJSON {
		return slog.New(slog.NewJSONHandler(w.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(w.Stderr, o))
}

// serve() runs the server's main task. Until the task ends, it also answers hooks on the socket, runs Upkeep, and runs
// the functions in the parameter "beside". The context of these functions also ends when the program is replaced.
func (w *System) serve(
	ctx context.Context, s *server.Server, log *slog.Logger, task func(context.Context) error, beside ...func(context.Context),
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	current, end := untilReplaced(ctx, w.Program)
	defer end()
	var others sync.WaitGroup
	others.Go(func() { w.holdSocket(ctx, current, s, log) })
	for _, other := range beside {
		others.Go(func() { other(current) })
	}
	others.Go(func() { s.Upkeep(ctx) })
	err := task(ctx)
	stop()
	others.Wait()
	return errors.Join(err, s.Close())
}

// holdSocket answers hooks on the socket. If the server does not get the socket, hooks work without the server, and the
// log says why. When the program is replaced, this process may have older packs than the installed program. So the
// context "current" ends at that moment, and this process gives up the socket. A process of the new program then takes
// over the socket.
func (w *System) holdSocket(ctx, current context.Context, s *server.Server, log *slog.Logger) {
	dir, err := private.Runtime(w.Env)
	if err == nil {
		err = s.HoldSocket(current, dir)
	}
	switch {
	case err == nil && ctx.Err() == nil:
		log.Info("the program was replaced, so this process no longer answers hooks; " +
			"a process of the new program answers them")
	case errors.Is(err, socket.ErrUnsupported):
		log.Info(err.Error())
	case err != nil:
		log.Error("this server does not answer hooks", "error", err)
	}
}

// onStdio answers the client that started the process. If the tenant is unknown, only the tools that need the tenant
// fail.
func (w *System) onStdio(ctx context.Context, f *Flags) error {
	log := w.log(slog.LevelWarn, f)
	tenant, err := w.tenant(ctx, f)
	if err != nil && f.Admin {
		return err
	}
	s := w.server(log, f, tenant, nil, false)
	return w.serve(ctx, s, log, func(ctx context.Context) error { return s.ServeStdio(ctx, w.Stdin, w.Stdout) },
		func(ctx context.Context) { w.holdPage(ctx, f, s, log) })
}

// cause() returns the cause of a network error, without the address. The message already contains the address.
func cause(err error) error {
	if at, ok := errors.AsType[*net.OpError](err); ok {
		return at.Err
	}
	return err
}
