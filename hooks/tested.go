package hooks

import (
	"bytes"
	"strings"

	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// testResult returns what a test command leaves in the record. If the call hides the command's result, its output
// decides. Nothing is known about a test that runs in the background or whose failure the call ignores.
func testResult(e *wire.Event, done *effect.Effect) []session.Entry {
	entry := session.Entry{Kind: session.Tested, Command: done.Command, Passed: e.Name != wire.PostToolUseFailure}
	if !entry.Passed {
		return []session.Entry{entry}
	}
	if inBackground(e.Input) {
		return nil
	}
	if done.Status == effect.StatusKept {
		return []session.Entry{entry}
	}
	entry.Passed = !showsFailure(string(e.Response))
	if entry.Passed && (done.Status == effect.StatusIgnored || len(e.Response) == 0) {
		return nil
	}
	return []session.Entry{entry}
}

// inBackground reports whether the input of a tool asks for a run in the background. The client then reports success at
// once.
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

// showsFailure reports whether the output of test programs says that tests failed or did not run.
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

// countsFailures reports whether an output has a number of failures above zero, such as 2 failed or 1 failing.
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
