package doctor

import (
	"strings"

	"guardrails/hooks/wire"
	"guardrails/setup"
)

// canary is a harmless thing that shows whether a link holds.
type canary struct {
	name string
	// events are those whose hooks it needs, links other links.
	events, links []string
	// missed says what was seen in place of what should be; it is empty when the canary fired.
	missed func(*stage, *sighting) string
}

func (c *canary) link() string { return linkLive + ": " + c.name }

// The calls of the session, by the ids under which the client speaks of them.
const (
	deniedCall  = "toolu_doctor_denied"
	askedCall   = "toolu_doctor_asked"
	allowedCall = "toolu_doctor_allowed"
	failedCall  = "toolu_doctor_failed"
	agentCall   = "toolu_doctor_agent"
	roleCall    = "toolu_doctor_role"
)

// role is the subagent of the session.
const role = "guardrails-doctor"

// guidelines hold in the stage's project. LINE and ROLE stand for words that nobody else knows.
const guidelines = `guidelines:
  - id: doctor-line
    name: A line for whoever is at work
    category: custom
    action: {type: instruction, instruction: "The word of guardrails doctor is LINE."}
  - id: doctor-denied
    name: A folder that nobody writes
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(denied/*)"], instruction: Nobody writes denied/.}
  - id: doctor-asked
    name: A folder that a person is asked about
    category: hitl_gate
    condition: {paths: ["asked/*"]}
    action: {type: hitl_gate, gate_type: doctor, gate_threshold: mandatory, instruction: Writing asked/ asks the user first.}
  - id: doctor-role
    name: A folder that one role does not write
    category: cognitive_isolation
    condition: {agents: [` + role + `]}
    action: {type: tool_restriction, tools_denied: ["Write(role/*)"], instruction: "The word for this role is ROLE."}
`

// The files that the calls would write, below the stage's project.
const (
	deniedFile  = "denied/canary.txt"
	askedFile   = "asked/canary.txt"
	allowedFile = "role/allowed.txt"
	roleFile    = "role/canary.txt"
)

func canaries() []canary {
	var all []string
	for _, e := range setup.Wanted(setup.Options{}) {
		all = append(all, e.Event)
	}
	pre := []string{wire.PreToolUse}
	return []canary{
		{"an injected line", []string{wire.UserPromptSubmit}, nil, func(s *stage, w *sighting) string { return untold(w.main, s.line) }},
		{"a denied write", pre, nil, func(s *stage, w *sighting) string { return w.unstopped(s, deniedCall, deniedFile, "doctor-denied") }},
		{"an asked command", pre, nil, func(s *stage, w *sighting) string { return w.unstopped(s, askedCall, askedFile, "doctor-asked") }},
		{"an allowed command", pre, nil, func(s *stage, w *sighting) string { return w.held(s, allowedCall, allowedFile) }},
		{"a line in a subagent", []string{wire.SubagentStart, wire.PreToolUse}, nil, func(s *stage, w *sighting) string { return w.untoldRole(s) }},
		{"a denied write in a subagent", []string{wire.PreToolUse, wire.SubagentStart}, nil, func(s *stage, w *sighting) string { return w.unstopped(s, roleCall, roleFile, "doctor-role") }},
		{"a sign of every hook", all, []string{linkSessions}, func(s *stage, _ *sighting) string { return s.unseen(all) }},
	}
}

// sighting is what was seen of the canaries.
type sighting struct {
	// main and subagent are what the two models were told.
	main, subagent string
	// told is what was said about each call, ran which of them ran.
	told map[string]string
	ran  map[string]bool
	// hooks are the complaints about hooks that did not end well, by event.
	hooks map[string][]string
}

func newSighting() *sighting {
	return &sighting{told: map[string]string{}, ran: map[string]bool{}, hooks: map[string][]string{}}
}

func untold(text, word string) string {
	if strings.Contains(text, word) {
		return ""
	}
	return "the model was not told the guidelines"
}

// untoldRole says what became of the subagent's line; the call that starts a subagent is checked too.
func (w *sighting) untoldRole(s *stage) string {
	if w.subagent == "" && w.told[agentCall] != "" {
		return "the subagent did not start: " + excerpt(w.told[agentCall])
	}
	return untold(w.subagent, s.roleLine)
}

// unstopped says how a call fared that a guideline should have stopped, and of which the model should know why.
func (w *sighting) unstopped(s *stage, call, file, guideline string) string {
	switch {
	case w.ran[call] || s.exists(file):
		return "the call ran"
	case strings.Contains(w.told[call], guideline):
		return ""
	case w.told[call] == "":
		return "the call was not made"
	}
	return "the call was stopped, but by something else: " + excerpt(w.told[call])
}

// held says how a call fared that nothing should have stopped.
func (w *sighting) held(s *stage, call, file string) string {
	switch {
	case w.ran[call] || s.exists(file):
		return ""
	case w.told[call] == "":
		return "the call was not made"
	}
	return "the call did not run: " + excerpt(w.told[call])
}

// complaints are what the hooks of some events said when they did not end well.
func (w *sighting) complaints(events []string) string {
	for _, event := range events {
		if list := w.hooks[event]; len(list) > 0 {
			return "hook " + event + ": " + list[0]
		}
	}
	return ""
}

func excerpt(text string) string {
	const shown = 200
	if runes := []rune(strings.Join(strings.Fields(text), " ")); len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}
