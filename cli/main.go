package cli

import (
	"os"
	"os/user"
	"strconv"

	"golang.org/x/term"

	"guardrails/cli/app"
)

// Main runs the program with the arguments of this process and returns its exit code. The release is the version that
// the linker sets in released builds, or empty.
func Main(release string) int {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	// Without its own path, doctor cannot compare the build of the hooks with that of this program.
	executable, _ := os.Executable()
	return int(Run(os.Args[1:], &app.System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Env: os.Getenv, Cwd: cwd, User: currentUser,
		Terminal: isTerminal(os.Stdout), Interactive: isTerminal(os.Stdin),
		Release: release, Executable: executable,
		HookPrograms: installedHooks, ServerProgram: installedServer, Exec: become,
	}))
}

// isTerminal reports whether a person can be at the other end. /dev/null is a device too, but no terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// currentUser returns the name under which the audit records whoever runs the program.
func currentUser() string {
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "uid " + strconv.Itoa(os.Getuid())
	}
	return u.Username
}
