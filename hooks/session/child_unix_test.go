//go:build unix

package session_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"guardrails/internal/private"
)

// childVariable is the name of the environment variable that gives the test binary a task. Tests set this variable when
// they start the binary as another process.
const childVariable = "SESSION_TEST_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(child(task, os.Args[1]))
	}
	os.Exit(m.Run())
}

// child() does a task in a folder and prints the result for the test.
func child(task, path string) int {
	d, err := private.Open(path)
	if err != nil {
		return say(err)
	}
	if task != "append" {
		return 2
	}
	return appendMany(d)
}

func say(err error) int {
	_, _ = os.Stdout.WriteString(err.Error() + "\n")
	return 1
}

// process() returns the command that starts the test binary as another process.
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
