package setup

import (
	"strings"

	"guardrails/internal/product"
)

// A program that is not installed cannot say so. Its entries say it in two ways. A client that blocks the call of a hook
// that fails shows the hook's command with its arguments, so the entry that checks calls has an argument with the advice.
// Older clients let the call run, so another entry blocks the prompt before it.
const (
	missingFlag   = "--if-missing"
	missingAdvice = "install guardrails: run make install in a clone of it and put ~/.local/bin on PATH"
)

// blockedPrompt is what the client shows in place of an answer. The shell prints it, so it has no quotes and no
// backslashes.
const blockedPrompt = `{"decision":"block","reason":"The programs of guardrails are missing on this computer, so nothing ` +
	`that Claude Code does in this project would be checked. To install them, run make install in a clone of guardrails ` +
	`and put ~/.local/bin on PATH. Then start Claude Code again."}`

const lookup = "command -v "

// look returns the entry that blocks a prompt when the programs are missing.
func look(o *Options) Entry {
	program := shellWord(ProgramPath(o.Bin, product.Enforce, o.Windows))
	return Entry{Type: startType, Command: lookup + program + " >/dev/null || echo '" + blockedPrompt + "'"}
}

// shellWord returns a word that a shell reads as the text.
func shellWord(text string) string {
	if strings.ContainsAny(text, " \t\\'\"$`&;|<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// LooksFor returns the program that the entry looks for, or "". The entry is one that look returned, perhaps of another
// version or with another path.
func (e *Entry) LooksFor() string {
	words, ok := strings.CutPrefix(e.Command, lookup)
	if program := firstWord(words); ok && e.Type == startType && e.Args == nil && product.ProgramName(program) == product.Enforce {
		return program
	}
	return ""
}
