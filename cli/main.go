package cli

import (
	"os"
	"os/user"
	"strconv"

	"golang.org/x/term"

	"guardrails/cli/app"
	"guardrails/internal/browser"
	"guardrails/service/startedby"
)

// Main runs the program with the arguments of this process and returns its exit code. In released builds, release is
// the version that the linker sets. In other builds, it is empty.
func Main(release string) int {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	// If the path is unknown, doctor does not compare the builds of the hooks with this program.
	executable, _ := os.Executable()
	return int(Run(os.Args[1:], &app.System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Env: os.Getenv, Cwd: cwd, User: currentUser,
		Terminal: isTerminal(os.Stdout), Interactive: isTerminal(os.Stdin),
		Person: func() error { return startedby.Person(os.Getenv) }, Release: release, Executable: executable,
		HookPrograms: installedHooks, ServerProgram: installedServer, Exec: become,
		Browser: browser.Starter(os.Getenv),
	}))
}

// isTerminal reports whether a file is a terminal. It is not enough to check for a device, because /dev/null is a
// device, too.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// currentUser returns the name of the person who runs the program, for the audit.
func currentUser() string {
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "uid " + strconv.Itoa(os.Getuid())
	}
	return u.Username
}
