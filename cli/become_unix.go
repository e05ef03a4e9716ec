//go:build unix

package cli

import (
	"os"
	"syscall"

	"guardrails/cli/app"
)

// become lets another program take the place of this one, with all that it has: its process, its pipes, its signals. It
// returns only when that fails.
func become(program string, args []string) (app.ExitCode, error) {
	return app.Failed, syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
