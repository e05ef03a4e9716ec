package hooks

import (
	"bytes"
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// listedTests has the commands that the session's settings list as tests. It reads the commands from the session's
// cache when has() is called for the first time.
type listedTests struct {
	h        *Host
	e        *wire.Event
	commands decide.TestCommands
}

func (l *listedTests) has(done *effect.Effect) bool {
	if done.Kind != effect.Run || done.Inert {
		return false
	}
	if l.commands == nil {
		l.commands = decide.TestCommands{}
		if c, _ := l.h.keptCache(l.e); c != nil { // an expired cache is good enough, because a test can run for a long time
			l.commands = decide.CompileTests(c.TestCommands())
		}
	}
	return l.commands.List(done.Command)
}

// testResult stores the result of a test command in the entry. If the call hides the exit code, the output of the
// command decides. In that case, the test has passed only if the output does not show a failure. The output of a
// well-known test command must also say that tests passed. testResult stores nothing if the result is unknown, for
// example because the test runs in the background.
func testResult(entry *session.Entry, e *wire.Event, done *effect.Effect) {
	passed := e.Name != wire.PostToolUseFailure
	if passed && inBackground(e.Input) {
		return
	}
	if passed && done.Status != effect.StatusKept {
		output := string(e.Response)
		if passed = !showsFailure(output); passed && isUnknown(done, output) {
			return
		}
	}
	entry.Kind, entry.Command, entry.Passed = session.Tested, done.Command, passed
}

// isUnknown reports whether the result of a test is unknown. The caller has already checked that the output does not
// show a failure.
func isUnknown(done *effect.Effect, output string) bool {
	return output == "" || done.Status == effect.StatusIgnored || done.Has(effect.TestRun) && !showsSuccess(output)
}

// inBackground reports whether the client runs the command in the background. The client then reports success
// immediately, before the command ends.
func inBackground(input []byte) bool {
	if !bytes.Contains(input, []byte("run_in_background")) {
		return false
	}
	members, _ := document.Members(input)
	for _, m := range members {
		if m.Name == "run_in_background" && string(m.Raw) == "true" {
			return true
		}
	}
	return false
}

// showsSuccess reports whether the output says that tests passed.
func showsSuccess(output string) bool {
	for _, mark := range [...]string{"pass", "PASS", "Pass", "ok", "OK", "0 fail", "success", "SUCCESS", "✓", "✔"} {
		if strings.Contains(output, mark) {
			return true
		}
	}
	return false
}

// showsFailure reports whether the output says that tests failed or did not run.
func showsFailure(output string) bool {
	for _, mark := range [...]string{
		"FAIL", "npm ERR!", "npm error", "ERR_PNPM", "ELIFECYCLE", "Missing script", "Command \\\"test\\\" not found",
		"BUILD FAILURE", "make: ***", "error: could not compile", "error: test failed", "not ok ", "command not found",
		"No such file or directory", "errors during collection", "error during collection", "Traceback (most recent",
		"no test specified", "panic: ",
	} {
		if strings.Contains(output, mark) {
			return true
		}
	}
	return countsFailures(output)
}

// countsFailures reports whether the output contains a number of failures above zero, such as "2 failed" or "1
// failing".
func countsFailures(output string) bool {
	for {
		at := strings.Index(output, " fail")
		if at < 0 {
			return false
		}
		before := output[:at]
		digits := before[len(strings.TrimRight(before, "0123456789")):]
		if strings.Trim(digits, "0") != "" {
			return true
		}
		output = output[at+1:]
	}
}
