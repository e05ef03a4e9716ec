package presence

import (
	"guardrails/hooks"
	"guardrails/internal/private"
)

// Person returns an error unless a person has started this program.
func Person(env func(string) string) error {
	m, err := known(env)
	if err != nil {
		return err
	}
	return m.Check()
}

// PersonOrClient does the same as Person for a program that the client starts itself, such as an MCP server of the
// settings.
func PersonOrClient(env func(string) string) error {
	m, err := known(env)
	if err != nil {
		return err
	}
	if self := m.Find(m.Self); self != nil {
		if parent := m.Find(self.Parent); parent != nil && parent.isClient() {
			return nil
		}
	}
	return m.Check()
}

// known returns this machine with the clients that hooks have seen.
func known(env func(string) string) (*Machine, error) {
	var clients []uint64
	dir, err := private.Runtime(env)
	if err == nil {
		clients, err = hooks.ClientStarts(dir, TicksAt)
	}
	return This(env, clients), err
}
