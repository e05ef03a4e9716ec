// Package app has the code that all commands share. System has the streams and the environment of a command, and
// ExitCode says how a command ended. App.Answer and Printer write answers. Other functions read input, and open the
// project's settings and store.
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
	"guardrails/service/storefault"
	"guardrails/store/live"
	"guardrails/store/open"
)

// System holds the streams, the environment and the clock that a command uses.
type System struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Cwd            string
	// The function Now returns the current time. If it is nil, the system's clock is used.
	Now func() time.Time
	// HookPrograms returns the folder with the hook programs of the same installation.
	HookPrograms func() (string, error)
	// Release is the version of a released build, or empty.
	Release string
	// Executable is the path of the running program, or "" if it is unknown.
	Executable string
	// ServerProgram returns the path of the server program of the same installation. It is nil if no server program is
	// installed.
	ServerProgram func() (string, error)
	// Exec replaces this process with another program.
	Exec func(program string, args []string) (ExitCode, error)
	// The function Browser opens a file in the user's browser.
	Browser func(path string) error
	// The function User returns the name of the person who runs the program, for the audit.
	User func() string
	// The function Person returns an error unless a person has started the program. If Person is nil, a command only
	// checks that it does not run in an agent's shell.
	Person func() error
	// Terminal is set if stdout is a terminal. Interactive is set if stdin is a terminal.
	Terminal, Interactive bool
}

// App is one run of the program.
type App struct {
	*System
	Format Format
	noted  []string
}

// Command is the name of a command, with the function that builds the command.
type Command struct {
	Name string
	New  func(*App) *cobra.Command
}

// Clock returns a function that returns the current time.
func (a *App) Clock() func() time.Time {
	if a.Now == nil {
		return time.Now
	}
	return a.Now
}

// Service returns the service for the current folder. The caller must close it.
func (a *App) Service() *service.Service {
	return service.New(service.Options{Env: a.Env, Now: a.Clock(), Dir: a.Cwd, Mask: hooks.Mask, Open: a.OpenExisting})
}

// ProjectRoot returns the root of the project that contains a folder.
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

// OpenExisting opens the store of the current settings. If the store does not exist, OpenExisting returns an error.
func (a *App) OpenExisting(ctx context.Context, c *config.Config) (*live.Store, error) {
	return a.openStore(ctx, c, false)
}

// OpenOrCreate opens the store of the current settings. If this store is the default store and does not exist,
// OpenOrCreate creates it.
func (a *App) OpenOrCreate(ctx context.Context, c *config.Config) (*live.Store, error) {
	return a.openStore(ctx, c, true)
}

func (a *App) openStore(ctx context.Context, c *config.Config, create bool) (*live.Store, error) {
	opened, err := open.Open(ctx, c, open.Options{
		Env: a.Env, Now: a.Clock(), Mask: hooks.Mask, Make: create, Seen: storefault.StoreSeen(a.Env, a.Clock()),
	})
	if err == nil {
		storefault.GuardWrites(a.Env, a.Clock(), c, opened)
	}
	return opened, err
}
