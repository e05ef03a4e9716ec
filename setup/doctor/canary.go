package doctor

import (
	"slices"
	"strings"

	"guardrails/detect/pii"
	"guardrails/hooks/wire"
	"guardrails/setup"
)

// The type "canary" is a harmless action that tests one step on the way from the client to a decision. The canary fires
// if the action has the expected effect.
type canary struct {
	name string
	// The field "events" lists the events whose hooks the canary needs. The field "links" lists the names of other
	// checks that must succeed.
	events, links []string
	// missed() returns "" if the canary fired. Otherwise it returns a text that says what happened instead.
	missed func(*stage, *observation) string
}

func (c *canary) link() string { return linkLive + ": " + c.name }

// The ids of the tool calls of the session.
const (
	deniedCall  = "toolu_doctor_denied"
	askedCall   = "toolu_doctor_asked"
	allowedCall = "toolu_doctor_allowed"
	failedCall  = "toolu_doctor_failed"
	agentCall   = "toolu_doctor_agent"
	roleCall    = "toolu_doctor_role"
)

// loopCalls returns the calls that all fail with the same error.
func loopCalls() []string {
	return []string{"toolu_doctor_loop_1", "toolu_doctor_loop_2", "toolu_doctor_loop_3"}
}

const role = "guardrails-doctor"

// The constant "guidelines" contains the guidelines of the temporary project. LINE and ROLE are replaced with random
// words.
const guidelines = `guidelines:
  - id: doctor-line
    name: A line for the main agent
    category: custom
    action: {type: instruction, instruction: "The word of guardrails doctor is LINE."}
  - id: doctor-denied
    name: A folder that no agent may write
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(denied/*)"], instruction: No agent may write denied/.}
  - id: doctor-asked
    name: A folder that needs the user's approval
    category: hitl_gate
    condition: {paths: ["asked/*"]}
    action: {type: hitl_gate, gate_type: doctor, gate_threshold: mandatory, instruction: Writing asked/ asks the user first.}
  - id: doctor-role
    name: A folder that one role may not write
    category: cognitive_isolation
    condition: {agents: [` + role + `]}
    action: {type: tool_restriction, tools_denied: ["Write(role/*)"], instruction: "The word for this role is ROLE."}
`

// The files of the calls in the temporary project. The calls of the loop read missingFile, which does not exist. Other
// calls would write the other files.
const (
	deniedFile  = "denied/canary.txt"
	askedFile   = "asked/canary.txt"
	allowedFile = "role/allowed.txt"
	roleFile    = "role/canary.txt"
	missingFile = "role/missing.txt"
)

func canaries() []canary {
	var all []string
	for _, e := range setup.Wanted(setup.Options{}) {
		if e.Program() != setup.Presence {
			all = append(all, e.Event)
		}
	}
	pre := []string{wire.PreToolUse}
	return []canary{
		{
			"an injected line",
			[]string{wire.SessionStart, wire.UserPromptSubmit},
			nil,
			func(s *stage, w *observation) string { return absentLine(w.main, s.line) },
		},
		{"a denied write", pre, nil, func(s *stage, w *observation) string { return w.notStopped(s, deniedCall, deniedFile, "doctor-denied") }},
		{"a gated command", pre, nil, func(s *stage, w *observation) string { return w.notStopped(s, askedCall, askedFile, "doctor-asked") }},
		{"an allowed command", pre, nil, func(s *stage, w *observation) string { return w.stopped(s, allowedCall, allowedFile) }},
		{
			"a line in a subagent",
			[]string{wire.SubagentStart, wire.PreToolUse},
			nil,
			func(s *stage, w *observation) string { return w.missingRoleLine(s) },
		},
		{
			"a denied write in a subagent",
			[]string{wire.PreToolUse, wire.SubagentStart},
			nil,
			func(s *stage, w *observation) string { return w.notStopped(s, roleCall, roleFile, "doctor-role") },
		},
		{"a run of every hook", all, []string{linkSessions}, func(s *stage, _ *observation) string { return s.unseen(all) }},
	}
}

// canaries() returns the canaries of this setup: the canaries of the hooks, and one canary for each detector that is
// switched on and for each part of the safety gate that is switched on. The canary for masked lines is included only if
// there is a client that can show the line.
func (x *Examination) canaries() []canary {
	list := canaries()
	if isOn(x.detectors.ToolLoop) {
		list = append(list, canary{
			"a note about a loop",
			[]string{wire.PostToolUseFailure},
			[]string{linkSessions},
			func(_ *stage, w *observation) string { return w.unnoted() },
		})
	}
	if x.client != nil && x.isMasking() {
		list = append(list, canary{
			"a masked line",
			[]string{wire.MessageDisplay},
			nil,
			func(_ *stage, w *observation) string { return w.unmasked() },
		})
	}
	for _, t := range x.talks() {
		list = append(list, canary{
			t.canary,
			[]string{wire.UserPromptSubmit},
			nil,
			func(_ *stage, w *observation) string { return w.unsaid(&t) },
		})
	}
	for _, t := range x.trials() {
		list = append(list, canary{
			t.canary,
			[]string{wire.UserPromptSubmit, t.event},
			nil,
			func(_ *stage, w *observation) string { return w.unstopped(&t) },
		})
	}
	return list
}

// loopNote is a part of the note for an agent that makes the same call again and again.
const loopNote = "calls failed in"

// unnoted() returns "" if the model received the note about the loop, and otherwise what is wrong.
func (w *observation) unnoted() string {
	switch {
	case strings.Contains(w.main, loopNote):
		return ""
	case w.results[loopCalls()[0]] == "" && !w.ran[loopCalls()[0]]:
		return "the calls were not made"
	}
	return "the model received no note"
}

// isMasking reports whether a hook masks personal data on the screen.
func (x *Examination) isMasking() bool {
	return slices.ContainsFunc(x.entries(), func(e setup.Entry) bool { return e.Masks() })
}

// The constant "address" is the personal data in the last answer of the model.
const address = "canary@firma.de"

// unmasked() returns "" if the client masked the last answer of the model, and otherwise what is wrong.
func (w *observation) unmasked() string {
	switch {
	case strings.Contains(w.shown, pii.Email.Marker()):
		return ""
	case w.shown == "":
		return "the client showed no answer"
	}
	return "the client showed personal data"
}

// The type "observation" records the texts that the models received, the calls that ran, and the hooks that failed.
type observation struct {
	// The fields "main" and "subagent" are the texts that the two models received.
	main, subagent string
	// The field "shown" is the last answer of the model, as the client showed it.
	shown string
	// The map "lines" contains, for each canary, the lines that the user was shown in the session of the canary.
	lines map[string]string
	// The field "results" maps the id of a call to the result that the model received. The field "ran" has the ids
	// of the calls that ran.
	results map[string]string
	ran     map[string]bool
	// The map "hooks" contains the errors of the hooks of each event.
	hooks map[string][]string
}

func newObservation() *observation {
	return &observation{results: map[string]string{}, ran: map[string]bool{}, lines: map[string]string{}, hooks: map[string][]string{}}
}

func absentLine(text, word string) string {
	if strings.Contains(text, word) {
		return ""
	}
	return "the model did not receive the guidelines"
}

// missingRoleLine returns "" if the subagent received roleLine, the line that the guidelines add for the subagent.
// Otherwise it returns the reason, for example that the subagent did not start.
func (w *observation) missingRoleLine(s *stage) string {
	if w.subagent == "" && w.results[agentCall] != "" {
		return "the subagent did not start: " + excerpt(w.results[agentCall])
	}
	return absentLine(w.subagent, s.roleLine)
}

// notStopped returns "" if a guideline stopped a call and the model received the reason. Otherwise it says what
// happened instead.
func (w *observation) notStopped(s *stage, call, file, guideline string) string {
	switch {
	case w.ran[call] || s.exists(file):
		return "the call ran"
	case strings.Contains(w.results[call], guideline):
		return ""
	case w.results[call] == "":
		return "the call was not made"
	}
	return "the call was stopped, but by something else: " + excerpt(w.results[call])
}

// stopped() returns "" if a call ran. Otherwise it says why the call did not run.
func (w *observation) stopped(s *stage, call, file string) string {
	switch {
	case w.ran[call] || s.exists(file):
		return ""
	case w.results[call] == "":
		return "the call was not made"
	}
	return "the call did not run: " + excerpt(w.results[call])
}

// complaints() returns the first error of the hooks of the given events, or "".
func (w *observation) complaints(events []string) string {
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
