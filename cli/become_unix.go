//go:build unix

package cli

import (
	"os"
	"syscall"

	"guardrails/cli/app"
)

// become replaces this process with another program, which keeps its streams and receives its signals. It returns only
// on failure.
func become(program string, args []string) (app.ExitCode, error) {
	return app.Failed, syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
