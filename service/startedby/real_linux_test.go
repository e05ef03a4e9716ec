package startedby_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"guardrails/internal/fortests/need"
	"guardrails/service/startedby"
)

// These tests start real processes. A process with the name claude plays the client. This test program also plays the
// command that only a person may run. When it plays this command, it writes the result of Check to the file that the
// variable PRESENCE_RESULT names. If the variable PRESENCE_SERVER is set, it plays a server that a client may start for
// itself, and writes the result of CheckClient.

const (
	result = "PRESENCE_RESULT"
	server = "PRESENCE_SERVER"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(result); file != "" {
		answer := "a person"
		m := startedby.This(os.Getenv, nil)
		check := m.Check
		if os.Getenv(server) != "" {
			check = m.CheckClient
		}
		if err := check(); err != nil {
			answer = err.Error()
		}
		if os.WriteFile(file+".new", []byte(answer), 0o600) != nil || os.Rename(file+".new", file) != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A desk is a person's computer, on which the tests can also run a client.
type desk struct {
	t    *testing.T
	dir  string
	home string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	return &desk{t: t, dir: dir, home: filepath.Join(dir, "home")}
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// command() returns a shell command that runs this test program. It also works in an empty environment.
func (d *desk) command() string {
	return "env HOME=" + d.home + " TERM=xterm " + result + "=" + d.dir + "/result " + os.Args[0]
}

func (d *desk) answer() string {
	d.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if text, err := os.ReadFile(d.dir + "/result"); err == nil {
			d.must(os.Remove(d.dir + "/result"))
			return string(text)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return "no answer"
}

func (d *desk) want(want string) {
	d.t.Helper()
	if got := d.answer(); !strings.Contains(got, want) {
		d.t.Errorf("got %q, want %q", got, want)
	}
}

// client() starts a client that runs a script in a shell. The client runs an agent's commands in the same way.
func (d *desk) client(script string) {
	d.t.Helper()
	shell, err := os.ReadFile("/bin/bash")
	d.must(err)
	claude := filepath.Join(d.dir, "claude")
	if _, err := os.Stat(claude); err != nil {
		d.must(os.WriteFile(claude, shell, 0o700))
	}
	d.must(os.WriteFile(d.dir+"/script", []byte(script), 0o600))
	c := exec.Command(claude, "-c", "CLAUDECODE=1 /bin/bash "+d.dir+"/script; echo ready; read -r")
	c.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "TMUX_TMPDIR=" + d.dir}
	in, err := c.StdinPipe()
	d.must(err)
	out, err := c.StdoutPipe()
	d.must(err)
	d.must(c.Start())
	_, err = out.Read(make([]byte, 64))
	d.must(err)
	d.t.Cleanup(func() { _, _ = in.Close(), c.Wait() })
}

type terminal struct{ master, other *os.File }

func (d *desk) terminal() *terminal {
	d.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		need.Missing(d.t, "this system has no pseudo terminals: ", err)
	}
	d.must(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	d.must(err)
	other, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	d.must(err)
	d.must(unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 200}))
	d.t.Cleanup(func() { _, _ = master.Close(), other.Close() })
	return &terminal{master, other}
}

// shell() starts a shell in a new terminal. It returns a function that types a line into this terminal.
func (d *desk) shell(program string, args ...string) func(line string) {
	d.t.Helper()
	term := d.terminal()
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = term.other, term.other, term.other
	c.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "PS1=ready>", "TMUX_TMPDIR=" + d.dir}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	d.must(c.Start())
	d.t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	var lock sync.Mutex
	shown := ""
	go func() {
		text := make([]byte, 4096)
		for {
			n, err := term.master.Read(text)
			lock.Lock()
			shown += string(text[:n])
			lock.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return func(line string) {
		d.t.Helper()
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			lock.Lock()
			ready := strings.Contains(shown, "ready>")
			lock.Unlock()
			if ready {
				_, err := term.master.WriteString(line + "\r")
				d.must(err)
				return
			}
		}
		d.t.Fatalf("the shell shows %q", shown)
	}
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		need.Missing(t, "the program "+program)
	}
}

func TestACommandThatAnAgentStartsIsRefused(t *testing.T) {
	const ready = "\nsleep 0.5\n"
	for name, c := range map[string]struct{ script, program string }{
		"directly":                           {"CMD", ""},
		"without the client's variables":     {"env -u CLAUDECODE CMD", ""},
		"with an empty environment":          {"env -i CMD", ""},
		"in place of the shell":              {"exec env -i CMD", ""},
		"in place of the shell, in a script": {"exec env -i script -qc 'CMD' /dev/null", "script"},
		"in a session of its own":            {"setsid -w env -i CMD", ""},
		"detached":                           {"(env -i setsid sh -c 'sleep 0.2; CMD' >/dev/null 2>&1 </dev/null &)", ""},
		"detached in place of the shell":     {"(exec env -i setsid -f sh -c 'sleep 0.2; exec CMD' >/dev/null 2>&1 </dev/null &)", ""},
		"with nohup":                         {"nohup env -i CMD >/dev/null 2>&1 </dev/null &", ""},
		"in a terminal of script":            {"script -qc 'CMD' /dev/null", "script"},
		"in a detached terminal of script":   {"(env -i setsid script -qc 'CMD' /dev/null >/dev/null 2>&1 </dev/null &)", "script"},
		"typed into a shell of script": {
			"mkfifo DIR/keys; (env -i PATH=$PATH setsid sh -c \"sleep 0.2; exec script -qc 'bash --norc -i' /dev/null < DIR/keys\" >/dev/null 2>&1 &)" +
				"; (env -i setsid sh -c 'echo CMD; sleep 3' > DIR/keys 2>/dev/null &)", "script",
		},
		"in a terminal of a program with the name of an emulator": {
			"cp $(command -v script) DIR/konsole; (env -i PATH=$PATH setsid DIR/konsole -qc 'CMD' /dev/null >/dev/null 2>&1 </dev/null &)", "script",
		},
		"in a terminal of Python": {"python3 -c 'import pty; pty.spawn([\"sh\", \"-c\", \"CMD\"])'", "python3"},
		"in a detached pty of Python": {
			"(env -i setsid python3 -c 'import pty; pty.spawn([\"sh\", \"-c\", \"sleep 0.2; CMD\"])' >/dev/null 2>&1 </dev/null &)", "python3",
		},
		"with two forks of Perl": {
			`perl -MPOSIX -e 'exit if fork; setsid; exit if fork; sleep 1; %ENV = (); exec "CMD"' >/dev/null 2>&1 </dev/null`, "perl",
		},
		"in tmux": {"env -i PATH=$PATH TMUX_TMPDIR=DIR TERM=xterm tmux -L own -f /dev/null new-session -d 'CMD'", "tmux"},
		"typed into its own tmux": {
			"T='env -i PATH=$PATH TMUX_TMPDIR=DIR TERM=xterm tmux -L own -f /dev/null'; " +
				"eval $T new-session -d 'bash --norc'; sleep 0.3; eval $T send-keys '\"CMD\"' Enter", "tmux",
		},
		"typed into its own tmux with a client in script": {
			"T='env -i PATH=$PATH TMUX_TMPDIR=DIR TERM=xterm tmux -L own -f /dev/null'; eval $T new-session -d 'bash --norc'; " +
				"mkfifo DIR/keys; (env -i PATH=$PATH TMUX_TMPDIR=DIR TERM=xterm setsid script -qc 'tmux -L own attach' /dev/null < DIR/keys >/dev/null 2>&1 &)" +
				"; (env -i setsid sh -c 'sleep 0.7; echo CMD; sleep 3' > DIR/keys 2>/dev/null &)", "tmux",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.program != "" {
				needs(t, c.program)
			}
			d := newDesk(t)
			script := strings.NewReplacer("CMD", d.command(), "DIR", d.dir).Replace(c.script)
			d.client(script + ready)
			t.Cleanup(func() { _ = exec.Command("env", "TMUX_TMPDIR="+d.dir, "tmux", "-L", "own", "kill-server").Run() })
			if got := d.answer(); got == "a person" || got == "no answer" {
				t.Errorf("got %q", got)
			}
		})
	}
}

// server() returns a shell command that runs a server which a client may start for itself.
func (d *desk) server() string {
	return strings.Replace(d.command(), " "+result, " "+server+"=1 "+result, 1)
}

func TestAServerOfAProgramWithTheNameOfAClientIsRefused(t *testing.T) {
	for name, script := range map[string]string{
		"an agent's shell":                   "CMD",
		"in place of an agent's shell":       "exec setsid -w env -i CMD",
		"a copy of a shell":                  "cp /bin/bash DIR/own/claude; env -i DIR/own/claude -c 'CMD; true'",
		"a copy of a shell, detached":        "cp /bin/bash DIR/own/claude; (env -i setsid DIR/own/claude -c 'sleep 0.3; CMD; true' >/dev/null 2>&1 </dev/null &)",
		"a script in a folder with its name": "mkdir DIR/own/claude-code; echo 'CMD; true' > DIR/own/claude-code/run; env -i bash -c 'exec -a node sh DIR/own/claude-code/run'",
		"in a terminal of its own":           "cp /bin/bash DIR/own/claude; (env -i setsid script -qc \"DIR/own/claude -c 'sleep 0.3; CMD; true'\" /dev/null >/dev/null 2>&1 </dev/null &)",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(script, "script -qc") {
				needs(t, "script")
			}
			d := newDesk(t)
			d.must(os.Mkdir(d.dir+"/own", 0o700))
			d.client(strings.NewReplacer("CMD", d.server(), "DIR", d.dir).Replace(script) + "\nsleep 0.5\n")
			if got := d.answer(); got == "a person" || got == "no answer" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAServerOfAClientThatAPersonStartedRuns(t *testing.T) {
	for name, others := range map[string]bool{"the first client": false, "another client": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			shell, err := os.ReadFile("/bin/bash")
			d.must(err)
			d.must(os.Mkdir(d.dir+"/bin", 0o700))
			d.must(os.WriteFile(d.dir+"/bin/claude", shell, 0o700))
			keys := d.shell("/bin/bash", "--norc", "-i")
			if others {
				d.client("true")
			}
			keys(d.dir + "/bin/claude -c '" + d.server() + "; read -r'")
			d.want("a person")
		})
	}
}

func TestACommandThatAPersonTypesRuns(t *testing.T) {
	for name, start := range map[string]func(d *desk) func(string){
		"into a terminal that was open before the client": func(d *desk) func(string) {
			keys := d.shell("/bin/bash", "--norc", "-i")
			d.client("true")
			return keys
		},
		"into a terminal that was opened after the client": func(d *desk) func(string) {
			d.client("true")
			return d.shell("/bin/bash", "--norc", "-i")
		},
		"into tmux that was started before the client": func(d *desk) func(string) {
			needs(d.t, "tmux")
			keys := d.shell("tmux", "-L", "person", "-f", "/dev/null", "new-session", "env PS1='ready>' bash --norc")
			d.client("true")
			return keys
		},
		"into tmux that was started after the client": func(d *desk) func(string) {
			needs(d.t, "tmux")
			d.client("true")
			return d.shell("tmux", "-L", "person", "-f", "/dev/null", "new-session", "env PS1='ready>' bash --norc")
		},
		"where no client has run": func(d *desk) func(string) { return d.shell("/bin/bash", "--norc", "-i") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			t.Cleanup(func() { _ = exec.Command("env", "TMUX_TMPDIR="+d.dir, "tmux", "-L", "person", "kill-server").Run() })
			start(d)(d.command())
			d.want("a person")
		})
	}
}

func TestKeysOfAnotherProgramInAPersonsTmuxAreNotAPerson(t *testing.T) {
	needs(t, "tmux")
	d := newDesk(t)
	t.Cleanup(func() { _ = exec.Command("env", "TMUX_TMPDIR="+d.dir, "tmux", "-L", "person", "kill-server").Run() })
	keys := d.shell("tmux", "-L", "person", "-f", "/dev/null", "new-session", "env PS1='ready>' bash --norc")
	keys(":")
	// Wait until the last key that the person typed is too old for the check.
	for typed := time.Now(); time.Since(typed) < 5*time.Second; time.Sleep(100 * time.Millisecond) {
	}
	d.client(fmt.Sprintf("env -i PATH=$PATH TMUX_TMPDIR=%s tmux -L person send-keys '%s' Enter", d.dir, d.command()))
	d.want(startedby.ErrProof.Error())
}

func TestATerminalWithTheClientInItIsRefused(t *testing.T) {
	d := newDesk(t)
	keys := d.shell("/bin/bash", "--norc", "-i")
	shell, err := os.ReadFile("/bin/sleep")
	d.must(err)
	d.must(os.WriteFile(d.dir+"/claude", shell, 0o700))
	keys(d.dir + "/claude 30 & " + d.command())
	d.want(startedby.ErrTied.Error())
}

func TestACommandOfAScriptThatIsOlderThanTheClientRuns(t *testing.T) {
	d := newDesk(t)
	d.client("true")
	d.must(exec.Command("sh", "-c", d.command()).Run())
	d.want("a person")
}

// An editor such as Neovim starts a process session for each command that another program sends to it.
func TestACommandThatAnAgentSendsToAnOlderProgramIsRefused(t *testing.T) {
	needs(t, "setsid")
	d := newDesk(t)
	d.must(syscall.Mkfifo(d.dir+"/commands", 0o600))
	c := exec.Command("/bin/bash", "-c", `read -r line < "$1"; setsid -w sh -c "$line; true"; true`, "bash", d.dir+"/commands")
	d.must(c.Start())
	d.t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	d.client("echo '" + d.command() + "' > " + d.dir + "/commands; sleep 0.5")
	d.want(startedby.ErrProof.Error())
}

func TestAHiddenProcessTableIsNotAPerson(t *testing.T) {
	needs(t, "unshare")
	if exec.Command("unshare", "-Urmpf", "true").Run() != nil {
		need.Missing(t, "this system lets nobody make namespaces")
	}
	for name, hide := range map[string]string{
		"without the state of the system": "mount -t proc -o subset=pid proc /proc",
		"without /proc":                   "mount -t tmpfs none /proc",
		"with another uptime":             "echo 1000000 1000000 > $DIR/uptime && mount --bind $DIR/uptime /proc/uptime",
		"with other variables":            "touch $DIR/environ && mount --bind $DIR/environ /proc/$$/environ",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			c := exec.Command("unshare", "-Urmpf", "--mount-proc", "sh", "-c", hide+" && exec "+strings.TrimPrefix(d.command(), "exec "))
			c.Env = append(os.Environ(), "DIR="+d.dir)
			d.must(c.Run())
			d.want(startedby.ErrHidden.Error())
		})
	}
}
