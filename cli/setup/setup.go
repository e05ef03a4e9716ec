// Package setup has the commands that set up a project and check that the setup works.
package setup

import "guardrails/cli/app"

// Commands returns the commands of this package.
func Commands() []app.Command {
	return []app.Command{
		{Name: "init", New: initCommand},
		{Name: "doctor", New: doctorCommand},
		{Name: "trust", New: trustCommand},
		{Name: "untrust", New: untrustCommand},
	}
}
