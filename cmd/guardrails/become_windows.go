package main

import (
	"errors"
	"os"
	"os/exec"
)

// become runs another program in place of this one, which waits for its end.
func become(program string, args []string) (exitCode, error) {
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return exitCode(ended.ExitCode()), nil
	}
	return done, err
}
