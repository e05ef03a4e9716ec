package reach

import (
	"path/filepath"
	"strconv"
	"time"

	"guardrails/internal/document"
)

// The arguments of the guardrails program. The program reads the request from stdin.
const (
	cliCommand = "call"
	cliWithin  = "--within"
	cliTool    = "guardrails_get_context"
	cliStdin   = "-"
)

// The constant "spare" is the part of the remaining time in which the guardrails program starts and writes its
// answer. In the rest of the time, the program may wait for a store or a server.
const spare = 300 * time.Millisecond

// maxStderr is the number of bytes at the end of stderr that are kept for an error message.
const maxStderr = 2 << 10

type command struct {
	path string
	args []string
	dir  string
	left countdown
}

type ending struct {
	out, stderr []byte
	// The field "unread" is set if the process closed its stdin before it had read the whole request.
	unread bool
	// The field "died" says how the process failed, for example "ended with code 1". It is "" for exit code 0.
	died string
}

// askCold runs the guardrails program to get an answer.
func (a *Asker) askCold(request []byte) ([]byte, error) {
	left := a.timer(a.ColdTimeout, defaultCold)
	within := max(left()-spare, left()/2, time.Millisecond).Truncate(time.Millisecond)
	c := command{
		path: a.CLI, args: []string{a.CLI, cliCommand, cliWithin, within.String(), cliTool, cliStdin}, dir: a.Dir,
		left: left,
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

// answer() returns the output of the process. It returns an error if the process failed or its output is not an answer.
func (e *ending) answer(path string) ([]byte, error) {
	if e.died != "" {
		return nil, &Failure{StageRun, path + " " + e.died + e.said()}
	}
	if e.unread {
		return nil, &Failure{StageRun, path + " ended without reading all of the request" + e.said()}
	}
	if err := checkAnswer(e.out); err != nil {
		return nil, &Failure{StageAnswer, "what " + path + " printed " + err.Error() + e.said()}
	}
	return document.Trim(e.out), nil
}

// said() returns the last characters on stderr for an error message, or "".
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

func (c *command) tooSlow(what string, e *ending) error {
	return &Failure{StageRun, c.path + " " + what + " in time and was stopped" + e.said()}
}

func (c *command) tooMuch() error {
	return &Failure{StageRun, c.path + " printed more than the " + strconv.Itoa(maxAnswer) + " bytes that are allowed"}
}
