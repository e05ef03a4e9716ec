package advice

import (
	"strings"

	"guardrails/internal/document"
)

// Code names the kind of a problem. Programs read it instead of the message.
type Code string

// The codes of problems.
const (
	InputInvalid           Code = "INPUT_INVALID"
	InputTooLarge          Code = "INPUT_TOO_LARGE"
	InputMissing           Code = "INPUT_MISSING"
	WindowOutOfRange       Code = "WINDOW_OUT_OF_RANGE"
	HistoryOutOfOrder      Code = "HISTORY_OUT_OF_ORDER"
	SessionIDMismatch      Code = "SESSION_ID_MISMATCH"
	ThresholdsNotAscending Code = "THRESHOLDS_NOT_ASCENDING"
	InvalidEndOfDay        Code = "INVALID_END_OF_DAY"
)

// maxProblems is the largest number of problems that are reported.
const maxProblems = 1000

// Problem is one mistake in an input. Path is empty if the problem concerns the whole input.
type Problem struct {
	Code    Code   `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

// Error returns the problem on one line.
func (p Problem) Error() string {
	parts := []string{string(p.Code)}
	if p.Path != "" {
		parts = append(parts, p.Path)
	}
	return document.Printable(strings.Join(append(parts, p.Message+"; "+p.Remedy), ": "))
}

// Problems are all mistakes in an input.
type Problems []Problem

// Error returns all problems, one on each line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// err() returns the problems as an error, or nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
