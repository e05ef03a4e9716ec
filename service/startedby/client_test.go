package startedby_test

import (
	"errors"
	"testing"

	"guardrails/service/startedby"
)

// In these tables, process 99 is a server on stdio, such as "guardrails mcp --admin". The client that ran first starts at
// 1000.
func TestWhichClientsMayStartAServerForThemselves(t *testing.T) {
	const (
		system = "1 0 1 0 1 systemd /sbin/init\n10 1 10 0 50 systemd /lib/systemd/systemd --user\n"
		first  = system + "80 20 20 2 1000 claude claude\n20 30 20 2 500 bash bash\n" +
			"30 10 30 0 400 gnome-terminal- gnome-terminal-server exe:/usr/libexec/gnome-terminal-server\n"
		tab = "50 10 30 0 400 gnome-terminal- g exe:/usr/libexec/gnome-terminal-server\n" +
			"40 30 40 5 2000 bash bash\n"
	)
	for name, c := range map[string]struct {
		table   string
		clients []uint64
		want    error
	}{
		"the first client":             {first + "99 80 20 2 1010 guardrails g\n", []uint64{1000}, nil},
		"the first client, much later": {first + "99 80 20 2 90000 guardrails g\n", []uint64{1000, 5000}, nil},
		"a client with hooks and agents in its terminal": {
			first + "81 80 20 2 1005 sh sh env:CLAUDECODE=1\n99 80 20 2 1010 guardrails g env:CLAUDECODE=1\n", []uint64{1000}, nil,
		},
		"a second client in another tab": {
			first + tab + "90 40 40 5 3000 claude claude\n99 90 40 5 3010 guardrails g\n", []uint64{1000, 3000}, nil,
		},
		"a second client, started by a script of npm": {
			first + tab + "90 40 40 5 3000 node node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js\n99 90 40 5 3010 guardrails g\n",
			[]uint64{1000, 3000},
			nil,
		},
		"a client in an editor that is older": {
			first + "60 10 60 0 300 code c exe:/usr/share/code/code\n90 60 60 0 3000 claude claude\n99 90 60 0 3010 guardrails g\n",
			[]uint64{1000},
			nil,
		},
		"a client in an editor that is younger": {
			first + "60 10 60 0 2000 code c exe:/usr/share/code/code\n90 60 60 0 3000 claude claude\n99 90 60 0 3010 guardrails g\n",
			[]uint64{1000},
			nil,
		},
		"a program with the name of an editor": {
			first + "60 10 60 0 2000 code c exe:/tmp/code\n90 60 60 0 3000 claude claude\n99 90 60 0 3010 guardrails g\n",
			[]uint64{1000},
			startedby.ErrClient,
		},
		"the only program in a container": {"1 0 1 2 1000 claude claude\n99 1 1 2 1010 guardrails g\n", []uint64{1000}, nil},
		"a second client of a script": {
			"1 0 1 0 1 init init\n30 1 30 0 500 runner r\n40 30 30 0 600 bash bash\n90 40 30 0 3000 claude claude\n" +
				"99 90 30 0 3010 guardrails g\n", []uint64{1000}, nil,
		},
		"an agent of a client": {
			first + "81 80 81 0 2000 bash bash env:CLAUDECODE=1\n99 81 81 0 2010 guardrails g\n", nil, startedby.ErrAgent,
		},
		"an agent of a client, in place of its shell": {first + "99 80 99 0 2010 guardrails g\n", nil, startedby.ErrAgent},
		"a program with the name of a client": {
			first + "81 80 81 0 2000 bash bash\n90 81 81 0 3000 claude ./claude\n99 90 81 0 3010 guardrails g\n", nil, startedby.ErrClient,
		},
		"a script in a folder with the name of a client": {
			first + "81 80 81 0 2000 bash bash\n90 81 81 0 3000 sh node ./claude-code/run.sh\n99 90 81 0 3010 guardrails g\n",
			nil, startedby.ErrClient,
		},
		"a program with the name of a client, detached": {
			first + "90 1 90 0 3000 claude ./claude\n99 90 90 0 3010 guardrails g\n", []uint64{3000}, startedby.ErrClient,
		},
		"a program with the name of a client, detached after the client has ended": {
			system + "90 1 90 0 3000 claude ./claude\n99 90 90 0 3010 guardrails g\n", []uint64{1000, 3000}, startedby.ErrClient,
		},
		"a program with the name of a client and a terminal of its own": {
			first + "50 1 50 0 2900 script s exe:/usr/bin/script\n90 50 90 5 3000 claude ./claude\n99 90 90 5 3010 guardrails g\n",
			nil, startedby.ErrClient,
		},
		"a client with the variables of an agent": {
			first + tab + "90 40 40 5 3000 claude claude env:CLAUDECODE=1\n99 90 40 5 3010 guardrails g\n", nil, startedby.ErrClient,
		},
		"a person": {first + tab + "99 40 40 5 3000 guardrails g\n", nil, nil},
		"cron":     {first + "33 1 33 0 100 cron cron\n99 33 33 0 3000 guardrails g\n", nil, startedby.ErrProof},
	} {
		t.Run(name, func(t *testing.T) {
			m := machineOf(t, c.table, c.clients...)
			if err := m.CheckClient(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAHiddenProcessTableProvesNoClient(t *testing.T) {
	m := machineOf(t, "1 0 1 0 1 init init\n80 1 80 0 1000 claude claude\n99 80 80 0 1010 guardrails g\n")
	if m.Hidden = true; !errors.Is(m.CheckClient(), startedby.ErrHidden) {
		t.Errorf("got %v", m.CheckClient())
	}
}
