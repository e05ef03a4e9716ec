package hooks

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// While there are no guidelines, some calls run unchecked. The hook adds a line to a file for each of them. At the next
// prompt, at the end of the turn, and at the end of the session, the hook reads the lines, adds a summary to the
// records, and informs the user.

func unguardedName(e *wire.Event) string { return session.GapName(e.Session) }

func (h *Host) countUnguarded(e *wire.Event, reason string) {
	h.log(e, record{kind: "fail_open", outcome: "allow", reason: reason})
	if h.Dir == nil || e.Session == "" {
		return
	}
	// If this fails, only the number of calls is wrong, because the call has already been recorded.
	_ = h.Dir.Append(unguardedName(e), []byte(document.FormatTime(h.Now())+" "+strings.ReplaceAll(reason, "\n", " ")))
}

// endUnguarded counts the lines in the file of unchecked calls, and removes the file. It returns a sentence for the
// user, or "" if there were no such calls.
func (h *Host) endUnguarded(e *wire.Event) string {
	if h.Dir == nil || e.Session == "" {
		return ""
	}
	text, err := h.Dir.Read(unguardedName(e), maxUnguarded)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h.endUncounted(e, err)
	}
	if err != nil {
		return ""
	}
	if won, err := h.Dir.Remove(unguardedName(e)); !won || err != nil {
		return ""
	}
	calls, from, to, reason := sumUnguarded(text)
	if calls == 0 {
		return ""
	}
	h.log(e, record{kind: "gap", outcome: "open", reason: reason, from: from, to: to, calls: calls})
	return "guardrails: " + count(calls, "tool call") + " went unchecked between " + from + " and " + to + ": " + reason
}

// maxUnguarded is the maximum size of the file of unchecked calls.
const maxUnguarded = 8 << 20

// endUncounted is like endUnguarded. It is for a file that cannot be read, for example because it is too large.
func (h *Host) endUncounted(e *wire.Event, err error) string {
	reason := "the file with these calls cannot be read (" + err.Error() + ")"
	if won, err := h.Dir.Remove(unguardedName(e)); !won || err != nil {
		return ""
	}
	h.log(e, record{kind: "gap", outcome: "open", reason: reason})
	return "guardrails: tool calls went unchecked in this session, and it is not known how many: " + reason +
		"; to see the recorded ones, run: guardrails audit list"
}

func sumUnguarded(text []byte) (calls int, from, to, reason string) {
	for line := range bytes.Lines(text) {
		when, why, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if !ok {
			continue
		}
		calls++
		if from == "" {
			from = when
		}
		to, reason = when, why
	}
	return calls, from, to, reason
}

// transcriptTail is the number of bytes at the end of a transcript that are searched for tool calls.
const transcriptTail = 256 << 10

// usedTools reports whether the end of the session's transcript contains a tool call.
func (h *Host) usedTools(e *wire.Event) bool {
	file, err := os.Open(e.Transcript)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	tail := io.NewSectionReader(file, max(0, info.Size()-transcriptTail), transcriptTail)
	text, err := io.ReadAll(tail)
	return err == nil && bytes.Contains(text, []byte(`"type":"tool_use"`))
}
