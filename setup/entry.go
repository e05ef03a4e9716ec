package setup

import (
	"slices"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// Entry is one hook of a settings file.
type Entry struct {
	Event string
	// Matcher is the pattern of the entry's group. Shared is set if the group has other hooks.
	Matcher string
	Shared  bool
	Type    string
	Command string
	// Args lists the arguments of the command. If Args is nil, Command is a command line for a shell.
	Args []string
	// Server, Tool and Input describe the call, if the entry does not start a program.
	Server, Tool string
	Input        map[string]any
	// Timeout is in seconds; 0 means the client's default.
	Timeout   float64
	OnFailure string
	// The field "Others" lists the other keys of the entry, in order, such as "if" and "async".
	Others []string
	// Line is the line of the entry. File is the name that messages use for the entry's document.
	File string
	Line int

	group, index int
}

// Program returns the hook program that the entry runs or replaces, such as guardrails-enforce. For the entry that
// checks whether the programs are installed, it returns Presence. For hooks of other products, it returns "".
func (e *Entry) Program() string {
	switch {
	case e.Direct():
		return hookOf(e.Event)
	case e.Type != startType:
		return ""
	case e.LooksFor() != "":
		return Presence
	}
	command := e.Command
	if e.Args == nil {
		command = firstWord(command)
	}
	base := product.ProgramName(command)
	for _, h := range hooks() {
		if h.program == base {
			return base
		}
	}
	return ""
}

// Ours reports whether the entry belongs to this product.
func (e *Entry) Ours() bool { return e.Program() != "" }

// RunsOnceWith reports whether the client runs only one of two entries. It does so if both entries have the same event,
// command and arguments. The other keys of the two entries can differ.
func (e *Entry) RunsOnceWith(other Entry) bool {
	return e.Event == other.Event && e.Type == startType && other.Type == startType && e.Command == other.Command &&
		(e.Args == nil) == (other.Args == nil) && slices.Equal(e.Args, other.Args)
}

// SeesEverything reports whether the matcher of the entry's group matches every tool or every agent.
func (e *Entry) SeesEverything() bool {
	return e.Matcher == "" || e.Matcher == "*" || e.Matcher == ".*"
}

// Strict reports whether the entry denies calls if the guidelines are not known.
func (e *Entry) Strict() bool {
	if e.Direct() {
		return e.Input[strictly] != nil && e.Input[strictly] != false
	}
	for _, arg := range e.Args {
		if arg == strictFlag {
			return true
		}
	}
	return false
}

// firstWord returns the first word of a shell command. It removes quotes around the word.
func firstWord(line string) string {
	line = strings.TrimSpace(line)
	for _, quote := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(line, quote); ok {
			word, _, _ := strings.Cut(inner, quote)
			return word
		}
	}
	word, _, _ := strings.Cut(line, " ")
	return word
}

// Hooks returns the hook entries of a settings file in order. It returns an error if an entry is malformed, because
// some versions of the client then ignore the whole file.
func Hooks(file string, text []byte) ([]Entry, error) {
	t, err := jsontext.Parse(file, text)
	if err != nil {
		return nil, unread(err)
	}
	return read(t)
}

// Off is a function that returns the line on which a settings file switches all hooks off, or 0.
func Off(file string, text []byte) (int, error) {
	t, err := jsontext.Parse(file, text)
	if err != nil {
		return 0, unread(err)
	}
	if n := t.At("disableAllHooks"); n != nil && n.Kind == document.Bool && t.Raw(n) == "true" {
		return t.Line(n), nil
	}
	return 0, nil
}
