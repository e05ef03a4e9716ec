package cli_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

func invoke(t *testing.T, line string) (stdout, stderr string, code app.ExitCode) {
	t.Helper()
	return clitest.New(t, map[string]string{}).Run(line)
}

func TestEveryShellGetsACompletionScript(t *testing.T) {
	for _, shell := range cli.Shells() {
		if script, stderr, code := invoke(t, "guardrails completion "+shell); code != app.OK ||
			!strings.Contains(script, "__complete") {
			t.Errorf("%s: exit %d, %d bytes, %s", shell, code, len(script), stderr)
		}
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func (closedPipe) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestAnAnswerThatCannotBeWrittenIsAnError(t *testing.T) {
	var stderr bytes.Buffer
	code := cli.Run([]string{"packs"},
		&app.System{Stdout: closedPipe{}, Stderr: &stderr, Env: func(string) string { return "" }})
	if code != app.Failed || !strings.HasPrefix(stderr.String(), "stdout: cannot be written") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}

func TestStdinThatCannotBeReadIsAnError(t *testing.T) {
	var stderr bytes.Buffer
	code := cli.Run([]string{"detect", "-"},
		&app.System{Stdin: closedPipe{}, Stdout: io.Discard, Stderr: &stderr, Env: func(string) string { return "" }})
	if code != app.Failed || !strings.HasPrefix(stderr.String(), "stdin: cannot be read") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}

func TestTheVersionFlagAndTheVersionCommandAnswerTheSame(t *testing.T) {
	for _, format := range []string{"", " -o json"} {
		flag, stderr, code := invoke(t, "guardrails --version"+format)
		command, _, _ := invoke(t, "guardrails version"+format)
		if code != app.OK || flag != command || !strings.Contains(flag, "guardrails") &&
			!strings.Contains(flag, `"version"`) {
			t.Errorf("exit %d: %s%s", code, flag, stderr)
		}
	}
}

func TestEachCommandIsListedByItsOwnName(t *testing.T) {
	a := &app.App{System: &app.System{}, Format: app.Text}
	for _, c := range cli.Commands() {
		if built := c.New(a); built.Name() != c.Name {
			t.Errorf("%s is listed as %s", built.Name(), c.Name)
		}
	}
}
