package startedby

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"guardrails/internal/product"
)

// This (a function) returns a Machine with the process table of this computer. The parameter "clients" has the start
// times of known clients.
func This(env func(string) string, clients []uint64) *Machine {
	return &Machine{
		Self: os.Getpid(), Hidden: hidden(), Find: find, All: all, Holders: holders, Typed: typed,
		Clients: clients, Safe: safe,
		Own: func(theirs []string) bool {
			their := lookup(theirs)
			return product.Home(their) == realHome() || product.StateDir(their) == product.StateDir(env)
		},
	}
}

// hidden() reports whether a file of the process table is missing, or is not the kernel's own file. In a new mount
// namespace, any user can mount something else over /proc or over a file in /proc.
func hidden() bool {
	own := proc(os.Getpid(), "")
	for _, name := range []string{"/proc/uptime", own + "stat", own + "environ", own + "uid_map"} {
		var fs syscall.Statfs_t
		if syscall.Statfs(name, &fs) != nil || fs.Type != procMagic {
			return true
		}
	}
	return find(os.Getpid()) == nil || uptime() <= 0
}

// procMagic is the type of the kernel's file system for /proc, from linux/magic.h.
const procMagic = 0x9fa0

func lookup(list []string) func(string) string {
	return func(name string) string {
		for _, v := range list {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func proc(id int, name string) string { return "/proc/" + strconv.Itoa(id) + "/" + name }

func find(id int) *Process {
	text, err := os.ReadFile(proc(id, "stat"))
	if err != nil {
		return nil
	}
	p, ok := parseStat(string(text))
	if !ok || p.ID != id {
		return nil
	}
	if info, err := os.Stat(proc(id, "")); err == nil {
		stat, ok := info.Sys().(*syscall.Stat_t)
		p.Other = ok && int(stat.Uid) != os.Geteuid()
	}
	p.Program, _ = os.Readlink(proc(id, "exe"))
	p.Program = strings.TrimSuffix(p.Program, " (deleted)")
	p.Args = strings.Split(strings.TrimSuffix(read(id, "cmdline"), "\x00"), "\x00")
	if env, err := os.ReadFile(proc(id, "environ")); err == nil {
		p.Env = strings.Split(string(env), "\x00")
	}
	return p
}

func read(id int, name string) string {
	text, _ := os.ReadFile(proc(id, name)) // a process that has ended has no text
	return string(text)
}

// parseStat parses the content of /proc/ID/stat. The name of the program is in parentheses and can contain any
// characters.
func parseStat(text string) (*Process, bool) {
	begin, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if begin < 1 || end < begin {
		return nil, false
	}
	p := &Process{Name: text[begin+1 : end]}
	var state string
	var ignored int64
	_, err := fmt.Sscan(text[:begin], &p.ID)
	if err == nil {
		_, err = fmt.Sscan(text[end+1:], &state, &p.Parent, &p.Group, &p.Session, &p.Terminal,
			&p.Foreground, &ignored, &ignored,
			&ignored, &ignored, &ignored, &ignored, &ignored, &ignored, &ignored, &ignored, &ignored,
			&ignored, &ignored, &p.Start)
	}
	return p, err == nil
}

func all() []*Process {
	var out []*Process
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(name))
		if p := find(id); p != nil {
			out = append(out, p)
		}
	}
	return out
}

func holders(terminal int) []*Process {
	number, ok := pseudo(terminal)
	if !ok {
		return nil
	}
	mark := []byte("tty-index:\t" + strconv.Itoa(number) + "\n")
	var out []*Process
	for _, p := range all() {
		files, _ := filepath.Glob(proc(p.ID, "fd/*"))
		for _, file := range files {
			if target, _ := os.Readlink(file); target != "/dev/ptmx" && target != "/dev/pts/ptmx" {
				continue
			}
			info, _ := os.ReadFile(proc(p.ID, "fdinfo/"+filepath.Base(file)))
			if bytes.Contains(info, mark) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// pseudo() returns the number N of the pseudo terminal /dev/pts/N. The result "ok" is false for another kind of
// terminal.
func pseudo(terminal int) (number int, ok bool) {
	const first, last = 136, 143 // the major numbers of pseudo terminals
	major, minor := terminal>>8&0xfff, terminal&0xff|terminal>>12&0xfff00
	return (major-first)<<8 + minor, major >= first && major <= last
}

// typed() returns those clients of a tmux server that display the terminal of a process, and into which somebody has
// typed since the given time. Keys that a program sends with the tmux command send-keys do not count.
func typed(server, first *Process, since uint64) []*Process {
	number, ok := pseudo(first.Terminal)
	socket, _, _ := strings.Cut(lookup(first.Env)("TMUX"), ",")
	if !ok || socket == "" || !safe(server.Program) {
		return nil
	}
	c := exec.Command(server.Program, "-S", socket, "list-clients", "-F",
		"#{pid} #{pane_tty} #{client_activity} #{client_pid}")
	c.Env = []string{"LANG=C.UTF-8"}
	text, err := c.Output()
	if err != nil {
		return nil
	}
	return typedIn(string(text), server.ID, "/dev/pts/"+strconv.Itoa(number), started(since))
}

// typedIn parses the answer that a tmux server gives to typed(). It returns the clients that typed() returns. The
// parameter "terminal" is the path of the terminal.
func typedIn(answer string, server int, terminal string, since time.Time) []*Process {
	var out []*Process
	for line := range strings.Lines(answer) {
		var pid, client int
		var shows string
		var activity int64
		if _, err := fmt.Sscan(line, &pid, &shows, &activity, &client); err != nil {
			continue
		}
		if p := find(client); p != nil && pid == server && shows == terminal && activity >= since.Unix() {
			out = append(out, p)
		}
	}
	return out
}

func started(ticks uint64) time.Time {
	return time.Now().Add(-time.Duration((uptime() - float64(ticks)/second) * float64(time.Second)))
}

// uptime() returns the number of seconds since the system started, or 0 if it is unknown.
func uptime() (up float64) {
	text, _ := os.ReadFile("/proc/uptime")
	_, _ = fmt.Sscan(string(text), &up)
	return up
}

// inUserNamespace reports whether this process runs in a user namespace, which every user can make.
func inUserNamespace() bool {
	users := strings.Fields(read(os.Getpid(), "uid_map"))
	return len(users) != 3 || users[0] != "0" || users[1] != "0"
}

// safe() reports whether only the administrator can change a program. It returns true if the file and all folders above
// the file belong to root, and nobody else may write to them.
func safe(program string) bool {
	if inUserNamespace() {
		return false // files of anybody can seem to belong to root
	}
	for at := program; filepath.IsAbs(at); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return false
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 || info.Mode().Perm()&0o022 != 0 {
			return false
		}
		if at == "/" {
			return true
		}
	}
	return false
}
