package hooks

import (
	"os"
	"strconv"
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Only a person may run some commands. A process that was started by a client must not run them, even after the client
// has ended. A process that is older than a client was not started by this client. So the hooks record when each client
// started.

const clientSuffix = ".client"

// noteClient records when the client of a session started. Without this record, ClientStarts uses the time of the
// session's files.
func (h *Host) noteClient(e *wire.Event) {
	name := session.Prefix(e.Session) + clientSuffix[1:]
	if start := startOf(h.Client); start != "" {
		// Create() writes the record only if there is none yet. So the record stays the same if another client resumes the
		// session later.
		_ = h.Dir.Create(name, h.Dir.KeyOf(name).Sign([]byte(start)))
	}
}

// startOf returns the time at which a process started, in clock ticks since the start of the system. It returns "" if
// the system does not report this time.
func startOf(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	const start = 19 // the position after the name of the program, which is in parentheses
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) <= start {
		return ""
	}
	return fields[start]
}

// TicksAt converts a time to clock ticks since the system started. For a time before the start of the system, the result
// "ok" is false. It is also false if the system does not say when it started.
func TicksAt(at time.Time) (ticks uint64, ok bool) {
	text, _ := os.ReadFile("/proc/uptime")
	up, _, _ := strings.Cut(string(text), " ")
	// The file has two digits after the point, and a second has 100 clock ticks.
	now, err := strconv.ParseInt(strings.Replace(up, ".", "", 1), 10, 64)
	since := time.Duration(now)*clockTick - time.Since(at)
	return uint64(max(0, since) / clockTick), err == nil && since > 0
}

const clockTick = time.Second / 100

// ClientStarts returns the times at which the clients of the user's sessions started, in clock ticks since the start of
// the system. The function ticks() converts a time to clock ticks. If the time is before the start of the system,
// ticks() returns false.
func ClientStarts(dir *private.Dir, ticks func(time.Time) (uint64, bool)) ([]uint64, error) {
	names, err := dir.List(product.SessionPrefix)
	if err != nil {
		return nil, err
	}
	starts := map[string]uint64{}
	for _, name := range names {
		of, _, _ := strings.Cut(name, ".")
		seen, _ := dir.Seen(name)
		if at, ok := ticks(seen); ok && (starts[of] == 0 || at < starts[of]) {
			starts[of] = at
		}
	}
	var out []uint64
	for of, start := range starts {
		name := of + clientSuffix
		seen, _ := dir.Seen(name)
		text, err := dir.ReadSigned(name, 32)
		if noted, wrong := strconv.ParseUint(string(text), 10, 64); err == nil && wrong == nil {
			if _, ok := ticks(seen); ok {
				start = min(start, noted)
			}
		}
		out = append(out, start)
	}
	return out, nil
}
