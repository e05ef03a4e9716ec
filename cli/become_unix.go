//go:build unix

package cli

import (
	"os"
	"syscall"

	"guardrails/cli/app"
)

// become() replaces this process with another program. The other program has the streams of this process and receives
// its signals. If become() succeeds, it does not return.
func become(program string, args []string) (app.ExitCode, error) {
	return app.Failed, syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
