//go:build unix

package run_test

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// A guideline can depend on the time of day on this computer. The hooks are built with a reduced copy of Go's library,
// so this test runs the built programs.
func TestTheHookUsesTheLocalTimeOfDay(t *testing.T) {
	m := newMachine(t)
	const east = 12 * time.Hour
	zone := m.work + "/zone"
	must(t, os.WriteFile(zone, zoneFile(east), 0o600))
	there := time.Now().UTC().Add(east)
	m.guidelines(fmt.Sprintf(`
guidelines:
  - id: not-now
    name: Nobody writes at this time
    category: security
    priority: 800
    condition: {custom: {time: ["%s-%s"]}}
    action: {type: tool_restriction, tools_denied: ["Write(src/*)"], instruction: Wait.}
`, there.Add(-time.Hour).Format("15:04"), there.Add(time.Hour).Format("15:04")))
	call := encoded(t, m.tool("s", "Write", "file_path", m.project+"/src/a.js"))
	for where, want := range map[string]string{zone: "deny", "UTC": "pass"} {
		m.env["TZ"] = where
		m.prompt("s", "begin")
		if r := m.inTime("enforce", call); r.verdict() != want {
			t.Errorf("with the time zone %s: %s, want %s: %s", where, r.verdict(), want, r.said)
		}
	}
}

// zoneFile returns a file for a time zone that is always the same distance east of UTC.
func zoneFile(east time.Duration) []byte {
	const header, counts = "TZif\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04"
	seconds := uint32(east / time.Second)
	offset := []byte{byte(seconds >> 24), byte(seconds >> 16), byte(seconds >> 8), byte(seconds)}
	return []byte(header + counts + string(offset) + "\x00\x00" + "ABC\x00")
}
