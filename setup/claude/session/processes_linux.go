package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// process is a process that was seen; its start keeps it apart from a later one with the same number.
type process struct {
	pid, parent int
	start       string
}

// alive says whether the process is still there and the same.
func (p process) alive() bool {
	now, ok := look(p.pid)
	return ok && now.start == p.start
}

// family finds a process, what it started, and what that started. The client gives each hook and each command a session
// of its own, so that the end of its group does not reach them.
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

// look reads a process's parent and start; a process that ended may have no file any more.
func look(pid int) (process, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// The name stands in parentheses and may hold anything; behind it come state, parent, and in place 20 the start.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return process{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return process{pid: pid, parent: parent, start: string(fields[19])}, err == nil
}
