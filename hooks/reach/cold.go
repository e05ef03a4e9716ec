package reach

import (
	"bytes"
	"path/filepath"
	"strconv"
)

// The arguments of the command line. The request is written to its stdin.
const (
	cliCommand = "call"
	cliTool    = "guardrails_get_context"
	cliStdin   = "-"
)

// maxStderr is how many bytes of the end of stderr are kept for the error.
const maxStderr = 2 << 10

// command is a process to run.
type command struct {
	path string
	args []string
	dir  string
	left countdown
}

// ending describes how a process ended.
type ending struct {
	out, stderr []byte
	// unread is set if the process closed its stdin before it had read the whole request.
	unread bool
	// died describes how the process failed. It is "" for exit code 0.
	died string
}

// askCold runs the guardrails program to get an answer.
func (a *Asker) askCold(request []byte) ([]byte, error) {
	c := command{
		path: a.CLI, args: []string{a.CLI, cliCommand, cliTool, cliStdin}, dir: a.Dir,
		left: a.timer(a.ColdTimeout, defaultCold),
	}
	if c.path == "" {
		return nil, &Failure{StageStart, "the guardrails program is missing in the folder of the hook; install it again"}
	}
	if !filepath.IsAbs(c.path) {
		return nil, &Failure{StageStart, "the path of the guardrails program is not absolute: " + strconv.Quote(c.path)}
	}
	e, err := c.run(request)
	if err != nil {
		return nil, err
	}
	return e.answer(c.path)
}

// answer returns the output of a process that succeeded, if the output is an answer.
func (e *ending) answer(path string) ([]byte, error) {
	if e.died != "" {
		return nil, &Failure{StageRun, path + " " + e.died + e.said()}
	}
	if e.unread {
		return nil, &Failure{StageRun, path + " ended without reading all of the question" + e.said()}
	}
	if err := checkAnswer(e.out); err != nil {
		return nil, &Failure{StageAnswer, "what " + path + " printed " + err.Error() + e.said()}
	}
	return bytes.TrimSpace(e.out), nil
}

// said formats the end of stderr for a message.
func (e *ending) said() string {
	stderr := e.stderr
	if len(stderr) > maxQuote {
		stderr = stderr[len(stderr)-maxQuote:]
	}
	if words := plain(stderr); words != "" {
		return ": " + words
	}
	return ""
}

// tooSlow returns the error for a process that is killed because the time is up.
func (c *command) tooSlow(what string, e *ending) error {
	return &Failure{StageRun, c.path + " " + what + " in time and was stopped" + e.said()}
}

// tooMuch returns the error for a process that prints more than the limit.
func (c *command) tooMuch() error {
	return &Failure{StageRun, c.path + " printed more than the " + strconv.Itoa(maxAnswer) + " bytes that are allowed"}
}
