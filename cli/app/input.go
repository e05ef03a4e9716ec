package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// ReadInput reads a file. If name is -, it reads stdin. It also returns the name under which messages mention the file.
func (a *App) ReadInput(name string) (content []byte, shown string, err error) {
	if name == "-" {
		content, err = io.ReadAll(io.LimitReader(a.Stdin, document.MaxSize+1))
		if err != nil {
			return nil, "", Failf("stdin: cannot be read: %v; give a file instead", err)
		}
		return content, "stdin", withinSize("stdin", content)
	}
	shown = document.Printable(name)
	content, err = document.ReadRegular(name, document.MaxSize)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, "", Failf("%s: cannot be read: %v; check the path", shown, at.Err)
	}
	if err != nil {
		return nil, "", Failf("%s: %v; copy the text into a file, or pass - and send the text to stdin", shown, err)
	}
	return content, shown, withinSize(shown, content)
}

func withinSize(shown string, content []byte) error {
	if len(content) <= document.MaxSize {
		return nil
	}
	return Failf("%s: is larger than %d MiB; split it", shown, document.MaxSize>>20)
}

// Confirm asks the person at the terminal a question and reports whether the answer is yes.
func (a *App) Confirm(question string) bool { return a.ConfirmEach(question)[0] }

// ConfirmEach asks several questions, one after the other. It reports for each question whether the answer is yes.
func (a *App) ConfirmEach(questions ...string) []bool {
	in := bufio.NewReader(a.Stdin)
	answers := make([]bool, len(questions))
	for i, question := range questions {
		_, _ = fmt.Fprintf(a.Stderr, "%s [y/N] ", question)
		line, _ := in.ReadString('\n')
		answer := strings.ToLower(strings.TrimSpace(line))
		answers[i] = answer == "y" || answer == "yes"
	}
	return answers
}

// RequirePerson returns an error if an agent has started the command. It also returns an error if nothing shows that a
// person has started the command. The parameter "reason" is a part of the error message, such as "an agent must not do
// this".
func (a *App) RequirePerson(c *cobra.Command, reason string) error {
	if product.IsAgentShell(a.Env) {
		return Failf("%s: this is a shell of Claude Code (CLAUDECODE is set), and %s; run the command in your own terminal",
			c.CommandPath(), reason)
	}
	if a.Person == nil {
		return nil
	}
	if err := a.Person(); err != nil {
		return Failf("%s: %s, but %v; open a terminal yourself, outside of Claude Code and without starting Claude Code in it, "+
			"and type the command there", c.CommandPath(), reason, err)
	}
	return nil
}

// RequireTerminal returns an error if an agent's shell runs the command, or if stdin is not a terminal.
func (a *App) RequireTerminal(c *cobra.Command) error {
	if product.IsAgentShell(a.Env) || !a.Interactive {
		return Failf("%s: needs a person's terminal, not an agent's shell; open a terminal and run the command there",
			c.CommandPath())
	}
	return a.RequirePerson(c, "only a person may run this command")
}
