package hooks

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// noteFirst records the start of the client, unless an earlier client has run since the system started. It must run before
// this session leaves files, because these files would look like those of an earlier session.
func (h *Host) noteFirst() {
	boot, container := system()
	start, err := strconv.ParseUint(startOf(h.Client), 10, 64)
	if h.State == "" || boot == "" || err != nil {
		return
	}
	begun := hasBegun(h.State)
	dir, err := private.Open(h.State)
	if err != nil {
		return
	}
	if _, err := dir.Key(); err != nil {
		return // no other program could use the record
	}
	text, err := dir.ReadSigned(clientsName, maxClients) // a record that cannot be used is replaced
	if err != nil {
		start = h.firstWithout(err, begun, container, start)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, boot+" "+container+" ") {
			return
		}
		lines = append(lines, line)
	}
	lines = append(lines[max(0, len(lines)+1-maxSystems):], boot+" "+container+" "+strconv.FormatUint(start, 10)+"\n")
	_ = dir.Write(clientsName, dir.KeyOf(clientsName).Sign([]byte(strings.Join(lines, "")))) // the next session tries again
}

// firstWithout returns the start of the first client if the record cannot be used. The parameter "start" is the start of
// the client of this session.
func (h *Host) firstWithout(err error, begun bool, container string, start uint64) uint64 {
	var others []uint64
	if h.Dir != nil {
		others, _ = ClientStarts(h.Dir, TicksAt) // without this list, the record is strict
	}
	if first, lost := lostStart(err, begun, container, len(others) > 0); lost {
		return first
	}
	return slices.Min(append(others, start))
}

// hasBegun reports whether a session has begun since the system started. A session first makes its record of the first
// client, so hasBegun must be called before that record is read.
func hasBegun(state string) bool {
	return slices.ContainsFunc([]string{ownfiles.LastName, clientsName}, func(name string) bool {
		_, now := TicksAt(time.Unix(0, private.StampOf(filepath.Join(state, name)).Changed))
		return now
	})
}

// lostStart returns the earliest possible start of the first client if a session has begun but its record cannot be used
// because of an error. An earlier version of guardrails made no record. So if there is none, the files of the sessions
// count, if there are any.
func lostStart(err error, begun bool, container string, sessions bool) (start uint64, lost bool) {
	first, wrong := strconv.ParseUint(container, 10, 64)
	return first + 1, wrong == nil && begun && (!sessions || !errors.Is(err, fs.ErrNotExist))
}

// system() returns the id of the running system, and the start time of its first process. Two containers have the same
// id, but their first processes start at different times. If the system does not tell its id, the id is "". If it hides
// the first process from this user, the start time is "0".
func system() (boot, container string) {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text)), cmp.Or(startOf(1), "0")
}

// FirstClients returns when the first client of this system started, in clock ticks since the start of the system. It
// returns no time if no client has run. If a session began in this system but its record cannot be used, the client may
// have started right after the first process. The parameter "all" says whether the clients of other containers count too.
// The parameter "sessions" says whether files of sessions show when their clients started.
func FirstClients(state string, all, sessions bool) (starts []uint64) {
	boot, container := system()
	if _, err := os.Stat(state); err != nil || boot == "" {
		return nil // on such a system, hooks make no record
	}
	begun := hasBegun(state)
	text, err := readClients(state)
	if err != nil {
		if first, lost := lostStart(err, begun, container, sessions); lost {
			starts = append(starts, first)
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

func readClients(state string) ([]byte, error) {
	dir, err := private.Open(state)
	if err != nil {
		return nil, err
	}
	return dir.ReadSigned(clientsName, maxClients)
}
