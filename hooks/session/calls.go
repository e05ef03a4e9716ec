package session

import (
	"strconv"
	"strings"
	"time"

	"guardrails/internal/private"
)

// Call is a finished tool call, without its text.
type Call struct {
	// The field "Result" is a hash of the call together with its result. The field "ID" is a hash of the id of the
	// call. It shows whether two hooks have reported the same call.
	Result, ID string
	At         time.Time
	// Failed is set if the call failed. Test is set if the call was a test and failed. Progress is set if the call changed
	// files.
	Failed, Test, Progress bool
}

// A line has two hashes and one number. The number contains the time and the kind of the call. There is a line break
// before and after each line.
const (
	resultAt = 1
	idAt     = resultAt + private.SumSize
	numberAt = idAt + private.SumSize
	endAt    = numberAt + len("7110028800")
	callSize = endAt + 1
)

// The kinds of calls. The number in a line is the time in seconds, times Kinds, plus the kind.
const (
	Succeeded = iota
	Progress
	Failed
	FailedTest
	Kinds
)

const maxCalls = 1 << 14

// NoteCall adds a call of an agent to the file of the agent's calls. The parameter "line" has the parts of a line
// of this file: a hash of the result, a hash of the id of the call, and a number with the time and the kind of the
// call. If the last result has occurred several times, the call could be part of a loop. NoteCall then returns the last
// calls, in the form that Calls reads. Otherwise, or if the call was reported before, it returns "".
func NoteCall(d *private.Dir, name, line string) string {
	if d.Append(name, []byte(line)) != nil {
		return "" // in this case, a loop is not noticed
	}
	text, err := d.Read(name, maxCalls)
	if err != nil {
		_, _ = d.Remove(name) // the file is too large; the next call begins a new file
	}
	const counted, few = 20, 3
	last := string(text[max(0, len(text)-counted*callSize):])
	id := line[private.SumSize : 2*private.SumSize]
	if strings.Count(last, line[:private.SumSize]) < few || strings.Count(last, id) > 1 {
		return ""
	}
	return last
}

// Calls reads the calls that NoteCall returns. It leaves out a call that was reported twice, and everything before a
// damaged line.
func Calls(text string) []Call {
	var out []Call
	reported := map[string]bool{}
	for at := len(text) - callSize; at >= 0; at -= callSize {
		line := text[at : at+callSize]
		number, err := strconv.ParseInt(line[numberAt:endAt], 10, 64)
		if err != nil || line[0] != '\n' || line[endAt] != '\n' {
			break
		}
		kind := number % Kinds
		c := Call{
			Result: line[resultAt:idAt], ID: line[idAt:numberAt], At: time.Unix(number/Kinds, 0),
			Failed: kind == Failed || kind == FailedTest, Test: kind == FailedTest, Progress: kind == Progress,
		}
		if !reported[c.ID] {
			out = append([]Call{c}, out...)
		}
		reported[c.ID] = true
	}
	return out
}
