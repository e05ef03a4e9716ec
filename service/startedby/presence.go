// Package startedby finds out whether a person has started this program. An agent starts programs too: in its shell, in
// the background, or in a terminal that it opens itself. In all these cases, the process table shows that an agent is
// involved.
//
// Start with Machine.Check. Only Linux provides enough information about other processes. On other systems, Check
// always succeeds.
package startedby

import (
	"errors"
	"path"
	"slices"
	"strings"

	"guardrails/internal/product"
)

// Errors that Check returns if it cannot tell that a person started the program.
var (
	ErrAgent = errors.New("this command was started by Claude Code, directly or through other programs")
	ErrTied  = errors.New("this terminal is used by Claude Code or by a program that it started")
	ErrProof = errors.New("nothing shows that a person started this command: Claude Code could have started it detached, " +
		"in a terminal of its own, or by typing into yours")
	ErrHidden = errors.New("nothing shows that a person started this command, because the process table in /proc cannot be " +
		"read completely here")
	ErrJob = errors.New("the program in which this command runs was started more than a minute ago, " +
		"so you may not have typed the command yourself")
)

// Process describes a process. Times are in clock ticks since the system started.
type Process struct {
	ID, Parent, Group, Session int
	// Terminal is the number of the controlling terminal, or 0. Foreground is the process group that runs in the
	// foreground of the terminal.
	Terminal, Foreground int
	Start                uint64
	// Name is the name of the program. Program is its path, if the path is known. Args are its arguments.
	Name, Program string
	Args          []string
	// The field "Other" is set if the process belongs to another user, such as root.
	Other bool
	// Env has the variables with which the program was started. It is nil if the system does not show them.
	Env []string
}

// Machine gives access to the process table of a computer.
type Machine struct {
	// Self is the id of this process.
	Self int
	// Hidden is set if the system has a process table that this process cannot read completely.
	Hidden bool
	// Find returns the process with the given id, or nil.
	Find func(id int) *Process
	// The function All returns the processes of this user.
	All func() []*Process
	// Holders returns the processes that have opened the other end of a terminal, such as a terminal emulator.
	Holders func(terminal int) []*Process
	// The function Typed returns certain clients of a tmux server: those that display the terminal of a process, and into
	// which somebody has typed since the given time.
	Typed func(server *Process, shown *Process, since uint64) []*Process
	// Clients has the start times of Claude Code processes of this user's sessions, including processes that have ended.
	Clients []uint64
	// The function Own reports whether a client with these variables uses the same guardrails state as this process.
	Own func(env []string) bool
	// The function Safe reports whether only the administrator can change the file of a program.
	Safe func(program string) bool
}

// The constant "second" is the number of clock ticks in a second.
const second = 100

// Check returns an error unless a person has started this process.
func (m *Machine) Check() error {
	if m.Hidden {
		return ErrHidden
	}
	self := m.Find(m.Self)
	if self == nil {
		return nil // this system does not show processes
	}
	chain := m.chain(self)
	if slices.ContainsFunc(chain, (*Process).isAgents) {
		return ErrAgent
	}
	since, found := m.suspectSince()
	if !found {
		return nil // no client has run since the system started
	}
	if self.Terminal == 0 {
		return m.checkPipeline(chain, since)
	}
	return m.checkTerminal(self, chain, since, 0)
}

// maxChain limits how many ancestors of a process are considered.
const maxChain = 200

func (m *Machine) chain(p *Process) []*Process {
	var out []*Process
	for steps := 0; p != nil && steps < maxChain; steps++ {
		out = append(out, p)
		if p.Parent <= 0 || p.ID == 1 {
			break
		}
		p = m.Find(p.Parent)
	}
	return out
}

// suspectSince returns when the first client started. A process that started earlier cannot be a child of a client. The
// parameter "found" is false if no client is known.
func (m *Machine) suspectSince() (since uint64, found bool) {
	starts := slices.Clone(m.Clients)
	for _, p := range m.All() {
		if p.isClient() && (p.Env == nil || m.Own(p.Env)) {
			starts = append(starts, p.Start)
		}
	}
	if len(starts) == 0 {
		return 0, false
	}
	return slices.Min(starts), true
}

// checkPipeline checks a command without a terminal, such as a command in a script. One ancestor of the command must be
// older than every client. This ancestor must be in the process session of the command, because many programs start
// sessions for commands that other programs give them.
func (m *Machine) checkPipeline(chain []*Process, since uint64) error {
	if m.isOutside(chain, since) {
		return nil
	}
	for _, p := range chain[1:] {
		switch {
		case p.runsForOthers(), p.Session != chain[0].Session:
			return ErrProof
		case p.Start < since:
			return nil
		}
	}
	return ErrProof
}

// maxNested limits how deep terminals may be nested, one inside another.
const maxNested = 4

// checkTerminal checks a command that has a terminal. The shell of this terminal must have started the command, and a
// person must have opened the terminal.
func (m *Machine) checkTerminal(self *Process, chain []*Process, since uint64, nested int) error {
	at := slices.IndexFunc(chain, func(p *Process) bool { return p.ID == self.Session })
	if at < 0 || nested > maxNested {
		return ErrProof
	}
	for _, p := range m.All() {
		if p.Terminal == self.Terminal && p.isAgents() {
			return ErrTied
		}
	}
	if nested == 0 && self.Foreground != self.Group {
		return ErrProof
	}
	job := slices.IndexFunc(chain, func(p *Process) bool { return p.ID == self.Group })
	switch {
	case job < 0:
		return ErrProof
	case nested == 0 && self.Start-chain[job].Start > 60*second:
		return ErrJob
	}
	return m.checkOpener(chain[at:], self, since, nested)
}

// checkOpener checks that a person has opened a terminal. The chain begins with the first process in the terminal.
func (m *Machine) checkOpener(chain []*Process, self *Process, since uint64, nested int) error {
	first, holders := chain[0], m.Holders(self.Terminal)
	for _, h := range holders {
		if slices.ContainsFunc(m.chain(h), (*Process).isAgents) {
			return ErrAgent
		}
	}
	if tmux := slices.IndexFunc(chain, (*Process).isTmux); tmux >= 0 {
		return m.checkTyped(chain[tmux], first, self, since, nested)
	}
	if first.Start < since || m.isOutside(chain, since) {
		return nil
	}
	for _, p := range chain[1:] {
		switch {
		case p.Name == "sshd" || p.Name == "sshd-session":
			return first.fromElsewhere()
		case p.runsForOthers():
			return m.checkEmulator(first, holders)
		case p.Other:
			return first.checkPlainShell() // a program of the system, such as login
		case p.Start < since && p.isEmulator():
			return first.checkPlainShell()
		case p.Start < since:
			return nil
		}
	}
	return ErrProof
}

// isOutside reports whether a chain of processes began outside this container. This is the case if a person entered the
// container. The container must be older than every client, because an agent could start a container of its own.
func (m *Machine) isOutside(chain []*Process, since uint64) bool {
	last, begin := chain[len(chain)-1], m.Find(1)
	return last.Parent == 0 && last.ID != 1 && begin != nil && begin.Start < since
}

// checkEmulator checks a terminal. It is called if the ancestors of the first process in the terminal do not show who
// opened the terminal. Every program that displays the terminal must be a known terminal emulator or editor.
func (m *Machine) checkEmulator(first *Process, holders []*Process) error {
	if len(holders) == 0 {
		return ErrProof
	}
	for _, h := range holders {
		if !m.Safe(h.Program) || !h.isEmulator() && !h.isEditor() {
			return ErrProof
		}
		if err := first.checkPlainShell(); err != nil && !h.isEditor() {
			return err
		}
	}
	return nil
}

// checkTyped checks a terminal in tmux. Any program can send keys to such a terminal. So a person must have typed
// into tmux just now, in a terminal that passes checkTerminal.
func (m *Machine) checkTyped(server, first, self *Process, since uint64, nested int) error {
	start := self.Start
	if start > 3*second {
		start -= 3 * second
	}
	for _, client := range m.Typed(server, first, start) {
		chain := m.chain(client)
		if slices.ContainsFunc(chain, (*Process).isAgents) || client.Terminal == 0 {
			continue
		}
		if m.checkTerminal(client, chain, since, nested+1) == nil {
			return nil
		}
	}
	return ErrProof
}

// isAgents reports whether a process is a client, or a program that a client has started for an agent.
func (p *Process) isAgents() bool { return p.isClient() || p.isMarked() }

func (p *Process) isClient() bool {
	if strings.HasPrefix(p.Name, "claude") {
		return true
	}
	if len(p.Args) < 2 || !slices.Contains([]string{"node", "bun", "deno"}, path.Base(p.Args[0])) {
		return false
	}
	return path.Base(p.Args[1]) == "claude" || strings.Contains(p.Args[1], "/claude-code/")
}

// isMarked reports whether the process has a variable that the client sets for the processes of an agent.
func (p *Process) isMarked() bool {
	return slices.ContainsFunc(p.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return product.IsAgentVariable(name) && value != ""
	})
}

func (p *Process) isTmux() bool {
	return strings.HasPrefix(p.Name, "tmux: server") || p.Name == "tmux" && p.Terminal == 0
}

// runsForOthers reports whether a process starts commands for other processes. The parent of such a command does not
// show who started the command. runsForOthers also returns true for the process with id 1, because this process becomes
// the parent of every process whose own parent has ended.
func (p *Process) runsForOthers() bool {
	return p.ID == 1 || slices.Contains([]string{
		"systemd", "init", "tini", "dumb-init", "docker-init", "catatonit", "containerd-shim", "conmon", "supervisord",
		"cron", "crond", "atd", "anacron", "fcron", "dbus-daemon", "dbus-broker", "screen", "SCREEN", "zellij", "dtach",
		"abduco", "nodemon", "watchexec", "entr", "inotifywait", "fswatch", "watchman", "chokidar",
		"at-spi-bus-laun",
	}, p.Name) || isRemoteControlled(p.program()) || slices.ContainsFunc(p.Args[:min(len(p.Args), maxNaming)], isRemoteControlled)
}

// maxNaming is the number of arguments that can name a program, as in "python3 -m NAME".
const maxNaming = 3

// isRemoteControlled reports whether other programs can make a program run commands or open a terminal, although it is
// not a terminal emulator. The argument is the path or the module of the program.
func isRemoteControlled(program string) bool {
	return slices.ContainsFunc([]string{"vim", "nvim", "gvim", "emacs", "jupyter", "ipykernel"}, func(name string) bool {
		return strings.HasPrefix(path.Base(program), name)
	})
}

// program() returns the file name of the program that a process runs. A process can change its name, but not this file
// name.
func (p *Process) program() string {
	if p.Program != "" {
		return path.Base(p.Program)
	}
	return p.Name
}

// isEditor reports whether a process is an editor with built-in terminals. Other programs cannot make an editor open
// a terminal.
func (p *Process) isEditor() bool {
	return slices.Contains([]string{
		"code", "code-insiders", "codium", "cursor", "windsurf", "zed-editor", "idea", "webstorm", "pycharm", "goland",
	}, p.program())
}

// isEmulator reports whether a process is a terminal emulator. Other programs can make an emulator open a terminal
// and run a command in it.
func (p *Process) isEmulator() bool {
	return slices.Contains([]string{
		"gnome-terminal-server", "gnome-terminal-", "kgx", "ptyxis-agent", "konsole", "yakuake", "xterm", "uxterm",
		"urxvt", "urxvtd", "rxvt",
		"st", "kitty", "alacritty", "foot", "footserver", "wezterm-gui", "wezterm-mux-server", "ghostty", "xfce4-terminal",
		"mate-terminal", "lxterminal", "qterminal", "terminator", "tilix", "guake", "tilda", "terminology", "deepin-terminal",
		"cool-retro-term", "warp", "rio", "contour",
	}, p.program())
}

// checkPlainShell returns an error unless the process is a shell that reads commands from its terminal. If the shell
// has other arguments, another program may have made it run a command.
func (p *Process) checkPlainShell() error {
	if len(p.Args) == 0 {
		return ErrProof
	}
	name := strings.TrimPrefix(path.Base(p.Args[0]), "-")
	if !slices.Contains([]string{"bash", "zsh", "fish", "sh", "dash", "ksh", "tcsh", "nu", "elvish", "xonsh", "pwsh"},
		name) {
		return ErrProof
	}
	for _, arg := range p.Args[1:] {
		if !slices.Contains([]string{"-l", "-i", "-il", "-li", "--login", "-login"}, arg) {
			return ErrProof
		}
	}
	return nil
}

// fromElsewhere returns an error unless the process is the shell of a connection from another computer. A connection
// from this computer does not count, because an agent could make such a connection.
func (p *Process) fromElsewhere() error {
	for _, v := range p.Env {
		addresses, ok := strings.CutPrefix(v, "SSH_CONNECTION=")
		fields := strings.Fields(addresses)
		if ok && len(fields) == 4 && fields[0] != fields[2] && !strings.HasPrefix(fields[0], "127.") && fields[0] != "::1" {
			return nil
		}
	}
	return ErrProof
}
