// Command guardrails is the program that people run. Its subcommands set up projects, manage guidelines and explain
// decisions.
package main

import (
	"os"

	"guardrails/cli"
)

// The variable "release" is set by the linker in released builds: -ldflags "-X main.release=v1.2.3".
var release string //nolint:gochecknoglobals // the linker can only set variables

func main() { os.Exit(cli.Main(release)) }
