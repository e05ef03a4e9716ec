package hooks

import (
	"bytes"
	"io"
	"os"
	"strings"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
)

// A gap is a time in which calls went unchecked. Each such call leaves a line; the next prompt or the end of the session
// sums them up, for the record and for the user.

func gapName(e *wire.Event) string { return session.GapName(e.Session) }

// countGap notes a call that went unchecked.
func (h *Host) countGap(e *wire.Event, reason string) {
	h.log(e, record{kind: "fail_open", outcome: "allow", reason: reason})
	if h.Dir == nil || e.Session == "" {
		return
	}
	// The record above holds the call too, so that a line that is lost loses only the count.
	_ = h.Dir.Append(gapName(e), []byte(document.FormatTime(h.Now())+" "+strings.ReplaceAll(reason, "\n", " ")))
}

// closeGap sums up the calls that went unchecked since the last time.
func (h *Host) closeGap(e *wire.Event) string {
	if h.Dir == nil || e.Session == "" {
		return ""
	}
	text, err := h.Dir.Read(gapName(e), 1<<20)
	if err != nil {
		return ""
	}
	if won, err := h.Dir.Remove(gapName(e)); !won || err != nil {
		return ""
	}
	calls, from, to, reason := sumGap(text)
	if calls == 0 {
		return ""
	}
	h.log(e, record{kind: "gap", outcome: "open", reason: reason, from: from, to: to, calls: calls})
	return "guardrails: " + count(calls, "tool call") + " went unchecked between " + from + " and " + to + ": " + reason
}

func sumGap(text []byte) (calls int, from, to, reason string) {
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

// transcriptTail is how much of a transcript is looked at for tools that ran.
const transcriptTail = 256 << 10

// usedTools reports whether the session's transcript shows a tool that ran.
func (h *Host) usedTools(e *wire.Event) bool {
	file, err := os.Open(e.Transcript)
	if err != nil {
		return false
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	tail := io.NewSectionReader(file, max(0, info.Size()-transcriptTail), transcriptTail)
	text, err := io.ReadAll(tail)
	return err == nil && bytes.Contains(text, []byte(`"type":"tool_use"`))
}
