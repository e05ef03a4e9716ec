//go:build unix && !linux

package session

type process struct{ pid int }

func (process) alive() bool { return true }

// family() returns only the process itself, because this system has no /proc. Processes that it started in other groups
// keep running.
func family(root int) []process { return []process{{pid: root}} }
