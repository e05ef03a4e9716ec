//go:build unix

package private_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"guardrails/internal/private"
)

// childVariable is the environment variable with the task of a child process. Tests start this program again as a child
// process.
const childVariable = "PRIVATE_TEST_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(child(task, os.Args[1]))
	}
	os.Exit(m.Run())
}

// child() runs in a child process. It does one task in the folder at a path, and prints the result for the test.
func child(task, path string) int {
	if task == "read only" {
		dropPrivileges()
	}
	d, err := private.Open(path)
	if err != nil {
		return say(err)
	}
	switch task {
	case "write":
		return writeForever(d)
	case "full disk":
		limit := syscall.Rlimit{Cur: fileLimit, Max: fileLimit}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return say(err)
		}
		return tryEverything(d)
	case "read only":
		return tryEverything(d)
	}
	return 2
}

func say(err error) int {
	_, _ = os.Stdout.WriteString(err.Error() + "\n")
	return 1
}

// process() returns a command that starts this program again to do a task.
func process(t *testing.T, task, path string, more ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, append([]string{path}, more...)...)
	c.Env = append(os.Environ(), childVariable+"="+task)
	return c
}

// outcomes() runs a task in a child process and returns the lines that it printed.
func outcomes(t *testing.T, task, path string) []string {
	t.Helper()
	out, err := process(t, task, path).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func start(t *testing.T, c *exec.Cmd) (io.WriteCloser, *bufio.Reader) {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return in, bufio.NewReader(out)
}
