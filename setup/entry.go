package setup

import (
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// Entry is one hook of a settings file.
type Entry struct {
	Event string
	// Matcher is the pattern of the group in which the hook stands; Shared says that others stand there too.
	Matcher string
	Shared  bool
	Type    string
	Command string
	// Args are nil where the entry has none: its command is a line for a shell.
	Args []string
	// Server, Tool and Input say which tool an entry calls that starts no program, and with what.
	Server, Tool string
	Input        map[string]any
	// Timeout is in seconds; 0 means the client's own.
	Timeout   float64
	OnFailure string
	// Others are the keys of the entry beside these, in order, such as "if" and "async".
	Others []string
	// Line is where the entry begins, File is what messages call its document.
	File string
	Line int

	group, index int
}

// Program names the hook binary of this product that the entry runs, or that it stands for, such as guardrails-enforce; it
// is empty for hooks of other people.
func (e *Entry) Program() string {
	switch {
	case e.Direct():
		return hookOf(e.Event)
	case e.Type != startType:
		return ""
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

// Ours reports whether the entry is one of this product.
func (e *Entry) Ours() bool { return e.Program() != "" }

// SeesEverything reports whether the entry's group is for every tool, or every agent.
func (e *Entry) SeesEverything() bool {
	return e.Matcher == "" || e.Matcher == "*" || e.Matcher == ".*"
}

// Strict reports whether the entry denies where guidelines cannot be known.
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

// firstWord is the first word of a shell's command line, without its quotes.
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

// Hooks lists the hooks of a settings file in their order. The file must be what the client reads: one entry of a wrong
// form makes some versions of it ignore the whole file, so it is an error here.
func Hooks(file string, text []byte) ([]Entry, error) {
	t, err := jsontext.Parse(file, text)
	if err != nil {
		return nil, unread(err)
	}
	return read(t)
}

// Off reports the line on which a settings file switches all hooks off; 0 says that it does not.
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
