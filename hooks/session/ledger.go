package session

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"guardrails/internal/document"
	"guardrails/internal/private"
)

// Kind is the kind of an entry.
type Kind string

// The kinds of entries. Each comment says which fields an entry of the kind uses.
const (
	// Wrote: the file at Path was written. If Planned is set, the file will be written.
	Wrote Kind = "wrote"
	// Committed: the entry is about a call that makes a commit. If Planned is set, the call has not run yet, and Name
	// is the newest commit before the call. Otherwise, the call has run, and Name is the newest commit at its end. Name
	// is the constant Empty if the planned commit has no files, and "" if the newest commit is not known.
	Committed Kind = "committed"
	// Tested: the test command in Command ran, and Passed tells whether it succeeded. Name is the constant Listed if
	// the command counts as a test only because the settings list it.
	Tested Kind = "tested"
	// Chose: a person chose how to continue during an outage, and Choice is the answer.
	Chose Kind = "chose"
	// Noticed: the user saw a notice, and Name identifies the notice.
	Noticed Kind = "noticed"
)

// Entry is one event of a session.
type Entry struct {
	Kind Kind
	// ToolUseID is the id of the tool call. It is used to count a commit or a test only once, even if hooks in two
	// settings files report it.
	ToolUseID string
	Path      string
	// Source is set if the file at Path is source code. After such a write, the tests must run again.
	Source  bool
	Planned bool
	Command string
	Passed  bool
	Choice  string
	Name    string
	// The field "times" is used only in checkpoints. It says how many times in a row a test has failed. 0 is read as 1.
	times int
}

// Listed is the value of Name in a test's entry when the command counts as a test only because the settings list it.
const Listed = "listed"

// Empty is the value of Name in the entry of a planned commit without files.
const Empty = "empty"

// ErrKind means that an entry has an unknown kind.
var ErrKind = errors.New("the kind of the entry is not known")

// Note adds entries to a session's ledger.
func Note(d *private.Dir, session string, entries ...Entry) error {
	lines := make([][]byte, 0, len(entries))
	for _, e := range entries {
		switch e.Kind {
		case Wrote, Committed, Tested, Chose, Noticed:
			lines = append(lines, e.line())
		default:
			return &private.Failed{
				What: "cannot be written", Path: d.Path(LedgerName(session)), Err: ErrKind,
				Remedy: private.ReportBug,
			}
		}
	}
	return appendLines(d, session, lines...)
}

// appendLines signs lines and adds them to a ledger. Readers ignore a line without a valid signature.
func appendLines(d *private.Dir, session string, lines ...[]byte) error {
	if len(lines) == 0 {
		return nil
	}
	name := LedgerName(session)
	key := d.KeyOf(name)
	for i := range lines {
		lines[i] = key.Sign(append(lines[i], ' '))
	}
	return d.Append(name, lines...)
}

// line() encodes the entry for the ledger, without a line end.
func (e Entry) line() []byte {
	line := document.AppendText([]byte(`{"kind":`), string(e.Kind))
	for _, f := range []struct{ name, value string }{
		{"path", e.Path}, {"command", e.Command}, {"choice", e.Choice}, {"name", e.Name}, {"tool_use_id", e.ToolUseID},
	} {
		if f.value != "" {
			line = document.AppendText(append(append(append(line, `,"`...), f.name...), `":`...), kept(f.value))
		}
	}
	for _, f := range []struct {
		name  string
		value bool
	}{{"source", e.Source}, {"planned", e.Planned}, {"passed", e.Passed}} {
		if f.value {
			line = append(append(append(line, `,"`...), f.name...), `":true`...)
		}
	}
	if e.times > 1 {
		line = strconv.AppendInt(append(line, `,"times":`...), int64(e.times), 10)
	}
	return append(line, '}')
}

const maxText = 1024

// kept() returns the form in which the ledger keeps a text. If a text is too long or not UTF-8, kept() shortens it and
// adds a hash. So different texts stay different, and two files never count as one.
func kept(text string) string {
	if len(text) <= maxText && utf8.ValidString(text) {
		return text
	}
	mark := "#" + hash(text)
	return strings.ToValidUTF8(text[:min(len(text), maxText-len(mark))], "?") + mark
}
