package setup

import (
	"strings"

	"guardrails/internal/product"
)

// A program that is not installed cannot report that it is missing. So the hook entries report missing programs, in two
// ways. If the client blocks a call because a hook failed, the client shows the hook's command with its arguments.
// Therefore the entry that checks calls has an argument with advice. Older clients do not block the call. For older
// clients, another entry blocks the prompt before the first call.
const (
	missingFlag   = "--if-missing"
	missingAdvice = "install guardrails: run make install in a clone of it and put ~/.local/bin on PATH"
)

// blockedPrompt is the text that the client shows instead of an answer. A shell prints the text, so the text has no
// single quotes and no backslashes.
const blockedPrompt = `{"decision":"block","reason":"The programs of guardrails are missing on this computer, so nothing ` +
	`that Claude Code does in this project would be checked. To install them, run make install in a clone of guardrails ` +
	`and put ~/.local/bin on PATH. Then start Claude Code again."}`

const lookup = "command -v "

// look() returns the entry that blocks a prompt if the programs are missing.
func look(o *Options) Entry {
	program := shellWord(ProgramPath(o.Bin, product.Enforce, o.Windows))
	return Entry{Type: startType, Command: lookup + program + " >/dev/null || echo '" + blockedPrompt + "'"}
}

// shellWord quotes a text, so that a shell reads it as one word.
func shellWord(text string) string {
	if strings.ContainsAny(text, " \t\\'\"$`&;|<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// LooksFor returns the program that the entry looks for, or "". It recognizes the entries that look() returns, even if
// they have another path or were written by another version.
func (e *Entry) LooksFor() string {
	words, ok := strings.CutPrefix(e.Command, lookup)
	if program := firstWord(words); ok && e.Type == startType && e.Args == nil &&
		product.ProgramName(program) == product.Enforce {
		return program
	}
	return ""
}
