//go:build unix

package run_test

import (
	"bytes"
	"os"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

const broken = "guidelines: ["

func breakGuidelines(m *machine) {
	m.prompt("first", "begin")
	m.guidelines(broken)
}

// guidelineScenarios returns scenarios about broken guidelines, and about what the user reads after calls that were not
// checked.
func guidelineScenarios() map[string]scenario {
	return map[string]scenario{
		"a guideline file is broken": {cold: true, before: breakGuidelines},
		"the config is broken": {cold: true, before: func(m *machine) {
			m.prompt("first", "begin")
			must(m.t, os.WriteFile(m.project+"/.claude/guardrails.yaml", []byte("cache_ttl: ["), 0o600))
		}},
		"the guidelines are broken and the user chose to continue without them": {cold: true, before: breakGuidelines, spoil: answerOpen},
		"the guidelines are broken, and a program chose to continue without them": {cold: true, before: breakGuidelines, spoil: func(m *machine, sessions []string) {
			m.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
			answerOpen(m, sessions)
		}},
		"the user chose to continue without guidelines, but nothing is broken": {cold: true, spoil: answerOpen},
		"some calls were not checked":                                          {cold: true, spoil: leaveGaps},
		"tools ran without a check":                                            {spoil: leaveBeats},
	}
}

// answerOpen makes the hook ask the user of every session how to continue, and answers "open".
func answerOpen(m *machine, sessions []string) {
	for _, of := range sessions {
		m.prompt(of, "what is new?")
		m.prompt(of, "guardrails: open")
	}
}

// leaveGaps reads a file in each session while no guidelines are available. Such a call is not checked.
func leaveGaps(m *machine, sessions []string) {
	must(m.t, os.Rename(m.bin+"/guardrails", m.work+"/guardrails"))
	for _, of := range sessions {
		m.hook("enforce", bytes.NewReader(encoded(m.t, m.tool(of, "Read", "file_path", m.project+"/a.go"))))
		// With the ledger, the hook would know that it has already shown the notice.
		must(m.t, os.Remove(m.sessions+"/"+session.LedgerName(of)))
	}
	must(m.t, os.Rename(m.work+"/guardrails", m.bin+"/guardrails"))
}

// leaveBeats creates the files that a session leaves behind when its tools ran unchecked.
func leaveBeats(m *machine, sessions []string) {
	for _, of := range sessions {
		m.prompt(of, "what is new?")
		aFile(m, m.sessions+"/"+session.BeatName(of, wire.PostToolUse))
	}
}
