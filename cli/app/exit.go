package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ExitCode says how a command ended.
type ExitCode int

// The exit codes of every command.
const (
	OK ExitCode = iota
	Failed
	// Misused means that the command line was wrong.
	Misused
	// Refused means that the command ran, but its result is negative. Examples are a denied tool call, a failed test case
	// and a damaged audit.
	Refused
)

// exitError is an error with an exit code. If its message is empty, nothing is printed.
type exitError struct {
	code    ExitCode
	message string
}

func (e *exitError) Error() string { return e.message }

// Usagef returns an error for a wrong command line.
func Usagef(format string, args ...any) error {
	return &exitError{Misused, fmt.Sprintf(format, args...)}
}

// Failf returns an error for a command that failed.
func Failf(format string, args ...any) error {
	return &exitError{Failed, fmt.Sprintf(format, args...)}
}

// Exit returns an error that ends the program with the given code and prints nothing. Exit(OK) returns nil.
func Exit(code ExitCode) error {
	if code == OK {
		return nil
	}
	return &exitError{code: code}
}

// HasExitCode reports whether an error has its own exit code.
func HasExitCode(err error) bool {
	_, ok := errors.AsType[*exitError](err)
	return ok
}

// CodeOf returns the exit code for the error of a command.
func CodeOf(err error) ExitCode {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return Failed
}

// Interruptible returns a context that ends on Ctrl-C or SIGTERM. The command can then clean up.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
