package inject

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// occasion() says when a guideline applies, for example "committing contracts/*". It names only those conditions whose
// fields are unknown in the query.
func occasion(m *evaluator.Match) string {
	c := &m.Guideline.Condition
	var what, paths string
	if m.Residual.Has(guideline.FieldEvent) {
		what = eventsInWords(c.Events)
	}
	if m.Residual.Has(guideline.FieldPaths) {
		paths = enumerated(c.Paths)
	}
	switch {
	case paths == "":
	case what == "":
		what = "touching " + paths
	default:
		what = withPaths(c.Events, paths)
	}
	return what + otherwise(c, m.Residual, what != "")
}

func moment(m *evaluator.Match) string { return "when " + occasion(m) }

// otherwise() returns a text that names the agents, domains, actions, gate types and metadata that a condition
// requires, if the query does not state them. Hooks know these facts, but other callers perhaps do not know them.
func otherwise(c *guideline.Condition, open guideline.Fields, more bool) string {
	var parts []string
	for _, f := range []struct {
		bit    guideline.Fields
		name   string
		values []string
	}{
		{guideline.FieldAgent, "the agent is", c.Agents},
		{guideline.FieldDomain, "the domain is", c.Domains},
		{guideline.FieldAction, "the action is", c.Actions},
		{guideline.FieldGateType, "the gate is", c.GateTypes},
		{guideline.FieldMetadata, "the metadata fit", []string{""}},
	} {
		if open.Has(f.bit) {
			parts = append(parts, strings.TrimSpace(f.name+" "+alternatives(f.values)))
		}
	}
	text := strings.Join(parts, " and ")
	if more && text != "" {
		return " where " + text
	}
	return text
}

// verb() returns the verb of an event if a path can follow this verb, as in "writing src/*". Otherwise it returns "".
func verb(event effect.Event) string {
	switch event {
	case effect.ContractChange, effect.FileWrite:
		return "writing"
	case effect.FileRead:
		return "reading"
	case effect.FileDelete:
		return "deleting"
	case effect.Commit:
		return "committing"
	case effect.Push:
		return "pushing"
	case effect.Merge:
		return "merging"
	case effect.Deploy:
		return "deploying"
	}
	return ""
}

// words() describes an event as an activity. A model understands "publishing a package" better than "publish".
func words(event effect.Event) string {
	if v := verb(event); v != "" {
		return v
	}
	text := map[effect.Event]string{
		effect.ForcePush:           "overwriting or deleting remote branches",
		effect.HistoryRewrite:      "rewriting Git history",
		effect.DiscardChanges:      "discarding uncommitted or unmerged work",
		effect.DevopsInvoked:       "changing infrastructure that is in use",
		effect.DestructiveOp:       "deleting data that cannot be rebuilt",
		effect.ProjectDelete:       "deleting the project or its .git",
		effect.OutsideDelete:       "deleting files outside the project",
		effect.OutsideWrite:        "writing files outside the project",
		effect.SystemDelete:        "deleting system, home or personal folders",
		effect.SystemChange:        "changing the operating system",
		effect.DeviceWrite:         "writing to disks and devices",
		effect.PermissionOpen:      "opening permissions widely",
		effect.Privilege:           "running commands as another user",
		effect.PrivilegeGain:       "gaining lasting privileges",
		effect.SecretAccess:        "reading secrets (.env, keys, tokens)",
		effect.SecretSend:          "sending secrets over the network",
		effect.PipeToShell:         "running a download that nobody has read",
		effect.HiddenExecution:     "running decoded text",
		effect.OpaqueExecution:     "running code that the call does not show",
		effect.ReverseShell:        "connecting a shell to the network",
		effect.StartupChange:       "changing what starts automatically (shell files, cron, Git hooks)",
		effect.DefenseOff:          "switching off firewalls, logs or access control",
		effect.SystemControl:       "killing processes that you did not start, stopping services",
		effect.ResourceExhaust:     "exhausting the machine",
		effect.ContainerEscape:     "giving a container access to the host",
		effect.RemoteExecution:     "running commands on other machines",
		effect.Publish:             "publishing a package, image or release",
		effect.UntrustedSource:     "installing packages that nobody verified",
		effect.GuardTamper:         "changing or stopping guardrails itself",
		effect.TestRun:             "running tests",
		effect.PlanComplete:        "presenting a plan",
		effect.ComplexOp:           "writing many files, or both backend and frontend files, in one call",
		effect.TooLarge:            "running a command that is too long to check",
		effect.TestFailureRepeated: "repeating a test that keeps failing",
		effect.ToolLoop:            "making the same calls again and again",
		effect.Rumination:          "being asked the same question again and again",
		effect.Hyperfocus:          "a long session without a break",
		effect.Sycophancy:          "agreeing without a reason",
		effect.PIIFound:            "writing personal data",
		effect.SafetyHold:          "prompts that a person should look at",
		effect.SafetyBlocked:       "prompts that ask for harm",
		effect.OutputHold:          "answers that a person should look at",
		effect.OutputBlocked:       "answers that do harm",
		effect.DefaultPush:         "pushing to the default branch",
		effect.SkipChecks:          "skipping Git hooks and checks",
		effect.AmendPushed:         "rewriting pushed commits",
	}[event]
	if text == "" {
		return strings.ReplaceAll(string(event), "_", " ")
	}
	return text
}

func eventsInWords(events []string) string {
	var out []string
	for _, event := range events {
		if text := words(effect.Event(event)); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return alternatives(out)
}

func withPaths(events []string, paths string) string {
	what := eventsInWords(events)
	if slices.ContainsFunc(events, func(e string) bool { return verb(effect.Event(e)) == "" }) {
		return what + " on " + paths
	}
	return what + " " + paths
}

// inWords returns a text such as "writing src/* or running `npm test`" for the calls that match one of the patterns.
func inWords(list []*pattern.Tool) string {
	var verbs []string
	objects := map[string][]string{}
	for _, p := range list {
		does := activity(p)
		if objects[does] == nil {
			verbs = append(verbs, does)
		}
		objects[does] = append(objects[does], spec(p))
	}
	for i, does := range verbs {
		verbs[i] = does + " " + enumerated(objects[does])
	}
	return alternatives(verbs)
}

func activity(p *pattern.Tool) string {
	if p.Spec != pattern.NoSpec {
		switch p.Family() {
		case pattern.WriteFamily:
			return "writing"
		case pattern.ReadFamily:
			return "reading"
		case pattern.CommandFamily:
			return "running"
		case pattern.FetchFamily:
			return "fetching from"
		}
	}
	return "using"
}

// spec() returns the text in a pattern's parentheses. It returns the whole pattern if there are no parentheses, or if
// the name of the tool is needed to understand the text.
func spec(p *pattern.Tool) string {
	if p.Spec == pattern.NoSpec || p.Family() == pattern.NoFamily {
		return p.String()
	}
	_, inner, _ := strings.Cut(p.String(), "(")
	inner = strings.TrimPrefix(strings.TrimSuffix(inner, ")"), "domain:")
	if p.Family() == pattern.CommandFamily {
		return "`" + inner + "`"
	}
	return inner
}

func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// enumerated() joins as many texts as fit on a line, and adds the number of the remaining texts.
func enumerated(list []string) string {
	const limit = 240
	length := 0
	for i, text := range list {
		if length += len(text) + len(", "); length > limit && i > 0 {
			return fmt.Sprintf("%s and %d more", strings.Join(list[:i], ", "), len(list)-i)
		}
	}
	return strings.Join(list, ", ")
}

func upperFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
