package cli

import (
	"errors"
	"os"
	"os/exec"

	"guardrails/cli/app"
)

// become() runs another program with the streams of this process, and waits until the program ends.
func become(program string, args []string) (app.ExitCode, error) {
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return app.ExitCode(ended.ExitCode()), nil
	}
	return app.OK, err
}
