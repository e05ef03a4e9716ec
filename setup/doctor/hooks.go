package doctor

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"guardrails/hooks/run"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// linkPresence is the name of the check for the entry that tells the user how to install missing programs.
const linkPresence = "hook for missing programs"

func linkHook(event string) string { return "hook " + event }

// checkHooks checks the entries that a guarded project needs. It also lists the hooks of other products that run before
// tool calls.
func (x *Examination) checkHooks() {
	entries := x.entries()
	for _, want := range setup.Wanted(setup.Options{}) {
		if want.Program() == setup.Presence {
			x.checkPresence(entries)
			continue
		}
		x.Checks = append(x.Checks, x.checkEntry(&want, entries))
	}
	var others []string
	for _, e := range entries {
		if e.Event == "PreToolUse" && !e.Ours() {
			others = append(others, fmt.Sprintf("%s:%d", e.File, e.Line))
		}
	}
	if len(others) > 0 {
		x.add("other hooks", OK,
			"also run before tool calls, and guardrails does not check the input again if they change it: "+strings.Join(others, ", "), "")
	}
}

func (x *Examination) checkEntry(want *setup.Entry, entries []setup.Entry) Check {
	ours := slices.DeleteFunc(slices.Clone(entries), func(e setup.Entry) bool {
		return e.Event != want.Event ||
			e.Program() != want.Program()
	})
	c := Check{Name: linkHook(want.Event), State: Broken, Remedy: x.runInit()}
	if len(ours) == 0 {
		c.Detail = "is in no settings file"
		return c
	}
	e := &ours[0]
	place := fmt.Sprintf("%s:%d: ", e.File, e.Line)
	if why := missedCalls(e, want); why != "" {
		c.Detail = place + why
		return c
	}
	if e.Direct() {
		return x.checkCall(c, ours)
	}
	if why, remedy := x.unstartable(programOf(e)); why != "" {
		c.Detail, c.Remedy = place+why+x.meaning(e), remedy
		return c
	}
	path := x.locate(programOf(e))
	c.State, c.Detail = Warning, place+x.weak(e, want)
	if x.inProject(path) {
		c.Detail, c.Remedy = place+path+" is in the project, where the agent works",
			"install the programs elsewhere (make install)"
		return c
	}
	if distinct := distinctCommands(ours); len(distinct) > 1 {
		return twice(c, distinct)
	}
	if c.Detail == place {
		return Check{Name: c.Name, State: OK, Detail: path}
	}
	return c
}

// checkPresence checks the entry that blocks prompts if the programs are missing.
func (x *Examination) checkPresence(entries []setup.Entry) {
	found := false
	for _, e := range entries {
		program := e.LooksFor()
		if program == "" {
			continue
		}
		if why, remedy := x.unstartable(program); why != "" {
			x.add(linkPresence, Broken, fmt.Sprintf("%s:%d: %s, so the client blocks every prompt", e.File, e.Line, why), remedy)
			return
		}
		found = true
	}
	if found {
		x.add(linkPresence, OK, "finds the programs", "")
		return
	}
	x.add(linkPresence, Warning, "no settings file has the hook that blocks prompts on computers where guardrails is "+
		"not installed; on such a computer, an older Claude Code then lets calls run unchecked", x.runInit())
}

// distinctCommands returns the entries without repeated commands. If several entries of an event have the same command,
// the client runs the command once.
func distinctCommands(entries []setup.Entry) []setup.Entry {
	var out []setup.Entry
	for _, e := range entries {
		if !slices.ContainsFunc(out, e.RunsOnceWith) {
			out = append(out, e)
		}
	}
	return out
}

// twice() returns a check with the warning that a hook runs more than once.
func twice(c Check, ours []setup.Entry) Check {
	c.State = Warning
	c.Detail = fmt.Sprintf("runs %d times for each event (%s:%d and %s:%d)", len(ours), ours[0].File, ours[0].Line,
		ours[1].File, ours[1].Line)
	c.Remedy = "remove all entries but one; to remove the project's entries, run: guardrails init --uninstall; to remove " +
		"yours, run: guardrails init --user --uninstall"
	return c
}

// missedCalls returns the reason why an entry does not run for all calls. If the entry runs for all calls, missedCalls
// returns "".
func missedCalls(e, want *setup.Entry) string {
	ignoresMatcher := want.Matcher == "" && want.Event != "SessionStart" && want.Event != "SessionEnd"
	switch {
	case !e.SeesEverything() && !ignoresMatcher:
		return fmt.Sprintf("its matcher %q leaves out tools or agents", e.Matcher)
	case slices.Contains(e.Others, "if"):
		return `its "if" leaves calls out`
	case slices.Contains(e.Others, "async") && want.Event == "PreToolUse":
		return `it is "async": the client does not wait for its answer, so calls run unchecked`
	}
	return ""
}

// weak() says which part of a working entry should be improved. If no part should be improved, it returns "".
func (x *Examination) weak(e, want *setup.Entry) string {
	deadline := (run.Deadline + time.Second).Seconds()
	switch {
	case e.Args == nil:
		return "is started through a shell, which takes as long as the hook itself"
	case e.Timeout > 0 && e.Timeout < deadline:
		return fmt.Sprintf("its timeout of %v s is too short: the hook may take longer, and after the "+
			"timeout the call runs unchecked", e.Timeout)
	case want.Event == "PreToolUse" && e.OnFailure == "" && x.client != nil && x.client.Version.Knows(claude.OnFailure):
		return "has no onFailure, so calls run unchecked when the program is missing or hangs"
	}
	return ""
}

// meaning() says what happens to tool calls if the program that checks them does not run.
func (x *Examination) meaning(e *setup.Entry) string {
	switch {
	case e.Event != "PreToolUse":
		return ""
	case e.OnFailure == "block" && x.client != nil && x.client.Version.Knows(claude.OnFailure):
		return ", so the client stops every call"
	}
	return ", so calls run unchecked"
}

func programOf(e *setup.Entry) string {
	if e.Args != nil {
		return e.Command
	}
	word := strings.TrimSpace(e.Command)
	for _, quote := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(word, quote); ok {
			word, _, _ = strings.Cut(inner, quote)
			return word
		}
	}
	word, _, _ = strings.Cut(word, " ")
	return word
}

func cannotRun(path, system string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return path + " is missing"
	case !info.Mode().IsRegular(), system != "windows" && info.Mode()&0o111 == 0:
		return path + " cannot be run"
	}
	return ""
}
