// Command guardrails is the engine at a maintainer's desk: what guidelines say in a context, what a tool call would do
// and whether it may, tests and comparisons of guideline files.
//
// Start with run, which is the whole program without the process around it; each command has a file of its own name.
package main

import (
	"os"

	"golang.org/x/term"
)

func main() {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	// Without its own path the program compares its build with nothing.
	self, _ := os.Executable()
	os.Exit(int(run(os.Args[1:], &world{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.Getenv, cwd: cwd, self: self, tools: installedTools, server: installedServer, exec: become, user: currentUser,
		terminal: isTerminal(os.Stdout), personal: isTerminal(os.Stdin),
	})))
}

// isTerminal reports whether a person can be at the other end. /dev/null, a device as well, is nobody.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
