// Command guardrails-server is the server. The commands "guardrails mcp" and "guardrails serve" start it.
package main

import (
	"context"
	"os"
	"os/signal"
	"os/user"
	"syscall"
	"time"

	"guardrails/internal/browser"
	"guardrails/internal/kernelclock"
	"guardrails/server/process"
	"guardrails/service/startedby"
)

// The variable "release" is set by the linker in released builds: -ldflags "-X main.release=v1.2.3".
var release string //nolint:gochecknoglobals // the linker can only set variables

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	if os.Getenv("GOGC") == "" {
		adjustCollections(standard)
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	program, err := os.Executable()
	if err != nil {
		program = "" // the path is unknown
	}
	code := process.Run(ctx, os.Args[1:], &process.System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Dir: dir, Now: time.Now, Kernel: kernelclock.Read,
		Version: process.Version(release), User: userName(), Program: program, HangUp: hangUps(),
		Browser:        browser.Starter(os.Getenv),
		Person:         func() error { return startedby.Person(os.Getenv) },
		PersonOrClient: func() error { return startedby.PersonOrClient(os.Getenv) },
	})
	stop()
	os.Exit(code)
}

// userName returns the name of the current user.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// hangUps returns a channel that receives a value for each SIGHUP.
func hangUps() <-chan struct{} {
	from, to := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(from, syscall.SIGHUP)
	go func() {
		for range from {
			to <- struct{}{}
		}
	}()
	return to
}
