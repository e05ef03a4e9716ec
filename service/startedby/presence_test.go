package startedby_test

import (
	"errors"
	"strings"
	"testing"

	"guardrails/service/startedby"
)

// Each line of the tables below describes a process: its id, parent, process session, terminal, start time, name and
// arguments. The client starts at 1000, so a process with this start time or a later one is younger than the client.
// Check is called for process 99.

const tty = 136<<8 | 5 // /dev/pts/5

func machineOf(t *testing.T, table string, clients ...uint64) *startedby.Machine {
	t.Helper()
	byID := map[int]*startedby.Process{}
	var list []*startedby.Process
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		p := &startedby.Process{Name: fields[5], Args: fields[6:], Env: []string{"HOME=/home/dev"}}
		for i, into := range []*int{&p.ID, &p.Parent, &p.Session, &p.Terminal} {
			*into = number(t, fields[i])
		}
		p.Start = uint64(number(t, fields[4]))
		if p.Terminal != 0 {
			p.Terminal = tty - 5 + p.Terminal
		}
		var args []string
		for _, arg := range p.Args {
			switch name, value, _ := strings.Cut(arg, ":"); name {
			case "env":
				p.Env = append(p.Env, strings.ReplaceAll(value, "+", " "))
			case "other":
				p.Other = true
			case "exe":
				p.Program = value
			default:
				args = append(args, arg)
			}
		}
		p.Args = args
		p.Group, p.Foreground = p.ID, p.ID
		byID[p.ID], list = p, append(list, p)
	}
	return &startedby.Machine{
		Self: 99, Clients: clients,
		Find: func(id int) *startedby.Process { return byID[id] },
		All:  func() []*startedby.Process { return list },
		Own:  func(env []string) bool { return !strings.Contains(strings.Join(env, " "), "HOME=/elsewhere") },
		Safe: func(program string) bool { return strings.HasPrefix(program, "/usr/") },
		Holders: func(int) []*startedby.Process {
			if p := byID[50]; p != nil {
				return []*startedby.Process{p}
			}
			return nil
		},
		Typed: func(*startedby.Process, *startedby.Process, uint64) []*startedby.Process {
			if p := byID[70]; p != nil {
				return []*startedby.Process{p}
			}
			return nil
		},
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n := 0
	for _, c := range text {
		n = 10*n + int(c-'0')
	}
	return n
}

const client = "80 20 20 2 1000 claude claude\n"

func TestWhereAPersonTypes(t *testing.T) {
	const (
		system = "1 0 1 0 1 systemd /sbin/init\n10 1 10 0 50 systemd /lib/systemd/systemd --user\n"
		old    = "20 30 20 2 500 bash bash\n30 10 30 0 400 gnome-terminal- gnome-terminal-server exe:/usr/libexec/gnome-terminal-server\n"
	)
	for name, c := range map[string]struct {
		table string
		want  error
	}{
		"another tab of the terminal": {
			old + client + "50 10 30 0 400 gnome-terminal- g exe:/usr/libexec/gnome-terminal-server\n" +
				"40 30 40 5 2000 bash bash\n99 40 40 5 3000 guardrails guardrails\n", nil,
		},
		"a terminal that was opened after the client": {
			old + client + "50 10 50 0 1500 konsole konsole exe:/usr/bin/konsole\n40 50 40 5 2000 zsh -zsh\n" +
				"99 40 40 5 3000 guardrails g\n", nil,
		},
		"the window manager started xterm": {
			client + "15 10 15 0 300 i3 i3\n50 15 50 0 1500 xterm xterm exe:/usr/bin/xterm\n40 50 40 5 2000 bash bash\n" +
				"99 40 40 5 3000 guardrails g\n", nil,
		},
		"VS Code with the client in it": {
			"60 10 60 0 300 code /usr/share/code/code exe:/usr/share/code/code\n" +
				"50 60 60 0 310 code /usr/share/code/code --type=utility exe:/usr/share/code/code\n" +
				"80 20 20 2 1000 claude claude\n20 50 20 2 900 bash bash\n" +
				"40 50 40 5 2000 bash /bin/bash --init-file /usr/share/code/shellIntegration-bash.sh\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"VS Code that was started after the client": {
			old + client + "60 10 60 0 1300 code c exe:/usr/share/code/code\n50 60 60 0 1310 code c exe:/usr/share/code/code\n" +
				"40 50 40 5 2000 bash /bin/bash --init-file /usr/share/code/shellIntegration-bash.sh\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"VS Code's server on another computer": {
			"60 1 60 0 300 node /home/dev/.vscode-server/node server-main.js\n" +
				"50 60 60 0 310 node n --type=ptyHost\n" + client + "20 50 20 2 900 bash bash\n" +
				"40 50 40 5 2000 bash /bin/bash --init-file /home/dev/.vscode-server/x.sh\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"ssh from another computer": {
			client + "33 1 33 0 100 sshd sshd\n34 33 34 0 1500 sshd-session s\n" +
				"40 34 40 5 2000 bash -bash env:SSH_CONNECTION=192.0.2.7+5000+192.0.2.8+22\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"ssh from the same computer": {
			client + "33 1 33 0 100 sshd sshd\n34 33 34 0 1500 sshd-session s\n" +
				"40 34 40 5 2000 bash -bash env:SSH_CONNECTION=127.0.0.1+5000+127.0.0.1+22\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"ssh from the computer's own address": {
			client + "33 1 33 0 100 sshd sshd\n34 33 34 0 1500 sshd-session s\n" +
				"40 34 40 5 2000 bash -bash env:SSH_CONNECTION=192.0.2.8+5000+192.0.2.8+22\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"docker exec into a container": {
			"1 0 1 2 1 bash bash\n80 1 1 2 1000 claude claude\n40 0 40 5 2000 bash bash\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"docker exec of the command alone": {
			"1 0 1 2 1 bash bash\n80 1 1 2 1000 claude claude\n99 0 99 0 3000 guardrails g\n", nil,
		},
		"a container that the agent starts": {"1 0 1 0 2000 sh sh\n99 0 99 0 3000 guardrails g\n" +
			"80 1 1 2 1000 claude claude\n", startedby.ErrProof},
		"alone in a container that the agent starts": {"1 0 1 0 2000 sleep sleep\n80 1 1 2 1000 claude claude\n" +
			"99 0 99 0 3000 guardrails g\n", startedby.ErrProof},
		"an orphan in a container": {
			"1 0 1 2 1 bash bash\n80 1 1 2 1000 claude claude\n99 1 99 0 3000 guardrails g\n", startedby.ErrProof,
		},
		"tmux, typed by a person": {
			old + client + "60 1 60 0 1500 tmux tmux\n" + "40 60 40 5 2000 bash bash\n99 40 40 5 3000 guardrails g\n" +
				"70 41 41 7 1600 tmux tmux\n41 30 41 7 1550 bash bash\n", nil,
		},
		"tmux, typed by another program": {
			old + client + "60 1 60 0 400 tmux tmux\n40 60 40 5 450 bash bash\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"tmux with a client in script": {
			old + client + "60 1 60 0 1500 tmux tmux\n40 60 40 5 2000 bash bash\n99 40 40 5 3000 guardrails g\n" +
				"70 41 41 7 1600 tmux tmux\n41 42 41 7 1550 sh sh\n42 1 42 0 1540 script script\n" +
				"50 1 42 0 1540 script script exe:/usr/bin/script\n", startedby.ErrProof,
		},
		"a shell that runs a command": {
			old + client + "50 10 50 0 1500 konsole konsole exe:/usr/bin/konsole\n40 50 40 5 2000 bash bash -c guardrails\n" +
				"99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"an emulator runs the command itself": {
			old + client + "50 10 50 0 1500 konsole konsole exe:/usr/bin/konsole\n99 50 99 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a shell with its own start-up file": {
			old + client + "50 10 50 0 400 gnome-terminal- g exe:/usr/libexec/gnome-terminal-server\n" +
				"40 30 40 5 2000 bash bash --rcfile /tmp/x\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a program with the name of an emulator": {
			old + client + "50 10 50 0 1500 konsole konsole exe:/tmp/konsole\n40 50 40 5 2000 bash bash\n" +
				"99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"an unknown program holds the terminal": {
			old + client + "50 10 50 0 1500 konsole konsole exe:/usr/bin/expect\n40 50 40 5 2000 bash bash\n" +
				"99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"the client holds the terminal": {
			old + client + "50 80 50 0 1500 script script exe:/usr/bin/script\n40 10 40 5 2000 bash bash\n" +
				"99 40 40 5 3000 guardrails g\n", startedby.ErrAgent,
		},
		"WSL": {
			old + client + "33 1 33 0 1500 Relay(34) /init other:\n40 33 40 5 2000 bash -bash\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"a console": {
			old + client + "33 1 33 0 1500 login login other:\n40 33 40 5 2000 bash -bash\n99 40 40 5 3000 guardrails g\n", nil,
		},
		"systemd-run": {old + client + "99 10 99 0 3000 guardrails g\n", startedby.ErrProof},
		"systemd-run --pty": {old + client + "50 80 50 0 1500 systemd-run s exe:/usr/bin/systemd-run\n" +
			"99 10 99 5 3000 guardrails g\n", startedby.ErrAgent},
		"cron": {client + "33 1 33 0 100 cron cron\n40 33 33 0 2900 sh sh\n" +
			"99 40 33 0 3000 guardrails g\n", startedby.ErrProof},
		"at": {client + "33 1 33 0 100 atd atd\n40 33 33 0 2900 sh sh\n99 40 33 0 3000 guardrails g\n", startedby.ErrProof},
		"a watcher": {client + "33 20 20 0 100 nodemon nodemon\n20 1 20 0 90 bash bash\n" +
			"99 33 20 0 3000 guardrails g\n", startedby.ErrProof},
		"a job of a watcher": {old + client + "33 20 20 2 100 vite vite\n99 33 20 2 3000 guardrails g\n", startedby.ErrTied},
		"screen": {client + "60 1 60 0 100 screen SCREEN\n40 60 40 5 2000 bash bash\n" +
			"99 40 40 5 3000 guardrails g\n", startedby.ErrProof},
		"a terminal of Neovim that is older": {
			client + "15 20 20 2 300 nvim nvim --embed exe:/usr/bin/nvim\n20 1 20 2 200 bash bash\n50 15 50 0 300 nvim n exe:/usr/bin/nvim\n" +
				"40 15 40 5 2000 sh sh ./x.sh\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a terminal of Vim with another name": {
			client + "15 1 15 2 300 v v exe:/usr/bin/vim.basic\n40 15 40 5 2000 bash bash\n99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a job of Neovim that is older": {
			client + "15 20 20 2 300 nvim nvim --embed\n20 1 20 2 200 bash bash\n99 15 99 0 3000 guardrails g\n", startedby.ErrProof,
		},
		"a terminal of Jupyter": {
			client + "15 1 15 0 300 jupyter-lab /usr/bin/python3 /usr/bin/jupyter-lab\n40 15 40 5 2000 bash /bin/bash -l\n" +
				"99 40 40 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a cell of Jupyter": {
			client + "15 1 15 0 300 python3 python3 -m ipykernel_launcher -f x.json\n99 15 15 0 3000 guardrails g\n", startedby.ErrProof,
		},
		"a detached child of a program that is older": {
			client + "20 1 20 0 200 bash bash\n15 20 20 0 300 tool tool\n99 15 99 0 3000 guardrails g\n", startedby.ErrProof,
		},
		"an orphan": {old + client + "99 1 99 0 3000 guardrails g\n", startedby.ErrProof},
		"an orphan with a terminal": {
			old + client + "99 1 20 5 3000 guardrails g\n", startedby.ErrProof,
		},
		"a script that is older":   {old + client + "35 10 35 0 600 make make\n40 35 35 0 2000 sh sh\n99 40 35 0 3000 guardrails g\n", nil},
		"a client of another home": {"80 10 20 2 1000 claude claude env:HOME=/elsewhere\n99 1 99 0 3000 guardrails g\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			table := system + c.table
			if strings.HasPrefix(c.table, "1 0 ") {
				table = c.table
			}
			if err := machineOf(t, table).Check(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAClientThatHasEndedStillCounts(t *testing.T) {
	const orphan = "1 0 1 0 1 init init\n99 1 99 0 3000 guardrails g\n"
	if err := machineOf(t, orphan).Check(); err != nil {
		t.Errorf("without a client: %v", err)
	}
	if err := machineOf(t, orphan, 1000).Check(); !errors.Is(err, startedby.ErrProof) {
		t.Errorf("after a client: %v", err)
	}
}

func TestACommandOfALongJobWasNotTyped(t *testing.T) {
	m := machineOf(t, "1 0 1 0 1 init init\n30 1 30 0 100 konsole konsole\n40 30 40 5 500 bash bash\n"+
		"45 40 40 5 600 vite vite\n99 45 40 5 9000 guardrails g\n", 700)
	m.Find(99).Group, m.Find(99).Foreground = 45, 45
	if err := m.Check(); !errors.Is(err, startedby.ErrJob) {
		t.Errorf("got %v", err)
	}
}
