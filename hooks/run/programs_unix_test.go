//go:build unix

package run_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/run"
	"guardrails/hooks/wire"
)

// tasksVariable is the name of the environment variable with the tasks of a machine. The test binary does the tasks and
// then becomes the program under test.
const tasksVariable = "RUN_TEST_TASKS"

func TestMain(m *testing.M) {
	if tasks := os.Getenv(tasksVariable); tasks != "" {
		become(strings.Fields(tasks), os.Args[1:])
	}
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// The variable "built" is the folder with the compiled programs. It is "" before the programs are compiled.
var built string

// programs() builds the programs once, as make build does, and returns their folder.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "guardrails-programs-")
	if err != nil {
		return "", err
	}
	built = dir
	for _, build := range []*exec.Cmd{
		exec.Command("../../scripts/hooks.sh", dir),
		exec.Command("go", "build", "-o", dir, "guardrails/cmd/guardrails", "guardrails/cmd/guardrails-server"),
	} {
		if out, err := build.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%w: %s", err, out)
		}
	}
	return dir, nil
})

// notInShort skips a test that runs the programs if -short is set. The scripts set -short for the race detector and for
// coverage, which cannot observe other processes.
func notInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the programs")
	}
}

// These are the tasks that become() can do.
const (
	noPrivileges = "no-privileges" // file modes apply to root too
	fullDisk     = "full-disk"     // no file can grow
	noFolder     = "no-folder"     // the working directory is gone
	breaks       = "breaks"        // the program is a hook that breaks
	hangs        = "hangs"         // the program is a hook that gives no answer
)

// become() does the tasks and then replaces this process with the program in args.
func become(tasks, args []string) {
	for _, task := range tasks {
		if err := prepare(task); err != nil {
			fmt.Fprintln(os.Stderr, task, err)
			os.Exit(99)
		}
	}
	_ = os.Unsetenv(tasksVariable)
	fmt.Fprintln(os.Stderr, syscall.Exec(args[0], args, os.Environ()))
	os.Exit(99)
}

func prepare(task string) error {
	switch task {
	case noPrivileges:
		return dropPrivileges()
	case fullDisk:
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{})
	case noFolder:
		dir, err := os.MkdirTemp("", "gone-")
		if err != nil {
			return err
		}
		if err := os.Chdir(dir); err != nil {
			return err
		}
		return os.Remove(dir)
	}
	event := map[string]string{"guardrails-inject": wire.UserPromptSubmit, "guardrails-subagent": wire.SubagentStart, "guardrails-stop": wire.Stop}[filepath.Base(os.Args[1])]
	if event == "" {
		event = wire.PreToolUse
	}
	os.Args = os.Args[1:]
	run.Main(run.Hook{Event: event, Answer: func(*hooks.Host, *wire.Event) wire.Outcome {
		if task == breaks {
			panic("broken")
		}
		time.Sleep(time.Hour)
		return wire.Outcome{}
	}})
	return nil
}
