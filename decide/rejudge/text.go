package rejudge

import (
	"strings"

	"guardrails/detect/effect"
)

// Text returns the call as far as it was recorded: its commands, or its tool with the first path, host or name.
func (c *Call) Text() string {
	var commands []string
	subject := ""
	for i := range c.Effects {
		e := &c.Effects[i]
		command := e.Command
		if command == "" && len(e.Forms) > 0 {
			command = e.Forms[0]
		}
		if e.Kind == effect.Run && command != "" {
			commands = append(commands, command)
		}
		for _, text := range []string{e.Path, e.Host, e.Name} {
			if subject == "" {
				subject = text
			}
		}
	}
	if len(commands) > 0 {
		return strings.Join(commands, "\n")
	}
	return c.Tool + "(" + subject + ")"
}
