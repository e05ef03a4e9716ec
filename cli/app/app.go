// Package app is the code that all commands share: their streams and environment (System), how they end (ExitCode), how
// they read their input and write their answer (App.Answer, Printer), and how they open the project's settings and
// store.
package app

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"guardrails/config"
	"guardrails/hooks"
	"guardrails/host"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/open"
)

// System holds the streams, the environment and the clock that a command uses.
type System struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Cwd            string
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// HookPrograms finds the folder of the hook programs that belong to this program.
	HookPrograms func() (string, error)
	// Release is the version of a released build, or empty.
	Release string
	// Executable is the path of the running program; empty when it is not known.
	Executable string
	// ServerProgram finds the server that belongs to this program; nil if there is none.
	ServerProgram func() (string, error)
	// Exec replaces this process with another program.
	Exec func(program string, args []string) (ExitCode, error)
	// User returns the name of the person who runs the program, for the audit.
	User func() string
	// Terminal is set when stdout is a terminal, Interactive when stdin is one.
	Terminal, Interactive bool
}

// App is one run of the program.
type App struct {
	*System
	Format Format
	// noted are the remarks that were written.
	noted []string
}

// Command is a command that has not been built yet.
type Command struct {
	Name string
	New  func(*App) *cobra.Command
}

// Clock returns the function that tells the time.
func (a *App) Clock() func() time.Time {
	if a.Now == nil {
		return time.Now
	}
	return a.Now
}

// Service returns the service for the current folder. The caller closes it.
func (a *App) Service() *service.Service {
	return service.New(service.Options{Env: a.Env, Now: a.Clock(), Dir: a.Cwd, Mask: hooks.Mask, Open: a.OpenExisting})
}

// ProjectRoot returns the root of the project that a folder is in.
func (a *App) ProjectRoot(dir string) string { return host.Root(a.Env, dir) }

// Config returns the settings of the current project.
func (a *App) Config() (*config.Config, error) {
	s := a.Service()
	c, err := s.Settings(context.Background(), "")
	for _, notice := range config.Notices(c.Ignored) {
		a.Note(notice)
	}
	return c, errors.Join(err, s.Close())
}

// OpenExisting opens the store that the settings name; a store that does not exist is an error.
func (a *App) OpenExisting(ctx context.Context, c *config.Config) (*live.Store, error) {
	return a.openStore(ctx, c, false)
}

// OpenOrCreate opens the store that the settings name, and creates the default store if there is none.
func (a *App) OpenOrCreate(ctx context.Context, c *config.Config) (*live.Store, error) {
	return a.openStore(ctx, c, true)
}

func (a *App) openStore(ctx context.Context, c *config.Config, create bool) (*live.Store, error) {
	return open.Open(ctx, c, open.Options{Env: a.Env, Now: a.Clock(), Mask: hooks.Mask, Make: create})
}
