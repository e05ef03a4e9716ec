package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// The type "process" identifies a process. Its start time distinguishes it from a later process with the same pid.
type process struct {
	pid, parent int
	start       string
}

func (p process) alive() bool {
	now, ok := look(p.pid)
	return ok && now.start == p.start
}

// family() returns a process and all its descendants. The client starts each hook and command in its own session, so
// killing the client's group does not end hooks and commands.
func family(root int) []process {
	children := map[int][]process{}
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if p, ok := look(pid); ok {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	var found []process
	if p, ok := look(root); ok {
		found = append(found, p)
	}
	for next := []int{root}; len(next) > 0; next = next[1:] {
		for _, child := range children[next[0]] {
			found = append(found, child)
			next = append(next, child.pid)
		}
	}
	return found
}

// look() reads the parent and the start time of a process. It returns false if the process has ended.
func look(pid int) (process, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// The program's name is in parentheses and can contain any character. After the name come the state, the parent and,
	// as field 20, the start time.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return process{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return process{pid: pid, parent: parent, start: string(fields[19])}, err == nil
}
