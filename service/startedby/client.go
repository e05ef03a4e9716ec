package startedby

import (
	"errors"
	"slices"
)

// ErrClient is the error of CheckClient for a client that another client may have started.
var ErrClient = errors.New("nothing shows that a person started the Claude Code that starts this server")

// CheckClient is like Check, but it also returns nil if a client has started this process for itself, as it starts the
// MCP servers in its settings. Anybody can give a program the name of a client. So the client itself must pass Check.
func (m *Machine) CheckClient() error {
	if self := m.Find(m.Self); self != nil && !m.Hidden {
		// A client starts its servers in its own process session. It starts an agent's shells in sessions of their own, and
		// a process cannot enter the session of another one. (Measured with the versions 2.1.197 and 2.1.329.)
		client := m.Find(self.Parent)
		if client != nil && client.isClient() && client.Session == self.Session {
			if m.checkStart(client) != nil {
				return ErrClient
			}
			return nil
		}
	}
	return m.Check()
}

// checkStart returns an error if another client may have started a client.
func (m *Machine) checkStart(client *Process) error {
	rest, plain := m.without(client), *client
	plain.Name, plain.Args = "", nil // isAgents now looks only at the variables that a client sets for its agents
	rest.Self = client.ID
	rest.Find = func(id int) *Process {
		if id == client.ID {
			return &plain
		}
		return m.Find(id)
	}
	chain := rest.chain(&plain)
	if slices.ContainsFunc(chain, (*Process).isAgents) {
		return ErrAgent
	}
	if since, found := rest.suspectSince(); !found || client.Start < since {
		return nil // no other client can have started it
	}
	if client.Terminal == 0 && slices.ContainsFunc(chain, func(p *Process) bool { return p.isEditor() && m.Safe(p.Program) }) {
		return nil // the extension of an editor started it
	}
	return rest.Check()
}

// without returns a Machine on which a client and the processes that it started do not exist.
func (m *Machine) without(client *Process) *Machine {
	rest, parents := *m, map[int]int{}
	all := m.All()
	for _, p := range all {
		parents[p.ID] = p.Parent
	}
	isBelow := func(p *Process) bool {
		id := p.ID
		for steps := 0; id > 0 && steps < maxChain; steps++ {
			if id == client.ID {
				return true
			}
			id = parents[id]
		}
		return false
	}
	kept := slices.DeleteFunc(slices.Clone(all), isBelow)
	rest.All = func() []*Process { return kept }
	rest.Clients = slices.DeleteFunc(slices.Clone(m.Clients), func(start uint64) bool { return start == client.Start })
	return &rest
}
