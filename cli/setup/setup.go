// Package setup has the commands that set up a project and check that the setup works.
package setup

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

// Commands returns the commands of this package.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{initCommand(a), doctorCommand(a)}
}
