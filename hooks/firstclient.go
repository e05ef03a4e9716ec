package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"guardrails/hooks/ownfiles"
	"guardrails/internal/private"
)

// The files of a session can be in a folder of their own, and they can be deleted. So a hook also records in the state
// folder when the first client of the system started. The record has a line for each system: its id and the start time.
const clientsName = "clients"

const (
	maxClients = 4 << 10
	maxSystems = 32
)

// noteFirst records the start of the client, unless an earlier client has run since the system started.
func (h *Host) noteFirst() {
	boot, container := system()
	start := startOf(h.Client)
	if h.State == "" || boot == "" || start == "" {
		return
	}
	dir, err := private.Open(h.State)
	if err != nil {
		return
	}
	text, _ := dir.ReadSigned(clientsName, maxClients) // a record that cannot be used is replaced
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, boot+" "+container+" ") {
			return
		}
		lines = append(lines, line)
	}
	lines = append(lines[max(0, len(lines)+1-maxSystems):], boot+" "+container+" "+start+"\n")
	_ = dir.Write(clientsName, dir.KeyOf(clientsName).Sign([]byte(strings.Join(lines, "")))) // the next session tries again
}

// system() returns the id of the running system, and the start time of its first process. Two containers have the same
// id, but their first processes start at different times. If the system does not tell its id, the id is "".
func system() (boot, container string) {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text)), startOf(1)
}

// FirstClients returns when the first client of this system started, in clock ticks since the start of the system. It
// returns no time if no client has run. If a session began in this system but its record is missing, the client may have
// started right after the first process. The parameter "all" says whether the clients of other containers count too.
func FirstClients(state string, ticks func(time.Time) (uint64, bool), all bool) (starts []uint64) {
	boot, container := system()
	if _, err := os.Stat(state); err != nil || boot == "" {
		return nil // on such a system, hooks make no record
	}
	dir, err := private.Open(state)
	if err != nil {
		return nil
	}
	text, err := dir.ReadSigned(clientsName, maxClients)
	if err != nil {
		list := private.StampOf(filepath.Join(state, ownfiles.LastName))
		_, now := ticks(time.Unix(0, list.Changed))
		if first, wrong := strconv.ParseUint(container, 10, 64); wrong == nil && (now || !errors.Is(err, fs.ErrNotExist)) {
			starts = append(starts, first+1)
		}
		return starts
	}
	for line := range strings.Lines(string(text)) {
		of := strings.Fields(line)
		if len(of) < 3 || of[0] != boot || of[1] != container && !all {
			continue
		}
		if start, wrong := strconv.ParseUint(of[2], 10, 64); wrong == nil {
			starts = append(starts, start)
		}
	}
	return starts
}
