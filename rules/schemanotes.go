package rules

import (
	"fmt"

	"guardrails/guideline"
)

// notes() returns the descriptions and the limits of all fields, which the Go types do not have.
func notes() map[string]schema {
	all := map[string]schema{}
	for _, group := range []map[string]schema{
		guidelineNotes(), conditionNotes(), actionNotes(), caseNotes(),
		factNotes(), expectNotes(),
	} {
		for field, s := range group {
			all[field] = s
		}
	}
	return all
}

func says(text string) schema { return schema{"description": text} }

// withKey sets one more key in the note and returns the note.
func (s schema) withKey(key string, value any) schema {
	s[key] = value
	return s
}

func guidelineNotes() map[string]schema {
	id := fmt.Sprintf("^[a-z0-9][a-z0-9._-]{0,%d}$", guideline.MaxIDLength-1)
	return map[string]schema{
		"Guideline.deny": says("Tool patterns such as Write(src/*) that are denied, or true for every tool. " +
			"Short for action.tools_denied."),
		"Guideline.ask": says("Tool patterns that need a person's approval, or true for every call that the " +
			"condition matches. Short for action.tools_asked."),
		"Guideline.allow": says("Tool patterns; every other use of the same tools is denied. Short " +
			"for action.tools_allowed."),
		"Guideline.tell":    says("The text that the agent receives. Short for action.instruction."),
		"Guideline.because": says("What the guideline is for. Short for description."),
		"Guideline.instead": says("What the agent can do instead if a call is blocked. Short for action.parameters.instead."),
		"Guideline.paths": says("Globs as in Claude Code's rules: **/ matches any folders or none, and a slash at " +
			"the end matches everything in a folder. Short for condition.paths."),
		"File.$schema":    says("The location of this schema, for editors."),
		"File.guidelines": says("The guidelines that the file defines."),
		"File.cases":      says(`What these guidelines are expected to do. The command "guardrails test" checks this.`),
		"Guideline.id":    says("The unique name of the guideline.").withKey("pattern", id),
		"Guideline.name": says("The title of the guideline.").withKey("minLength", 1).withKey("maxLength",
			guideline.MaxNameLength),
		"Guideline.description": says("What the guideline is for.").withKey("maxLength", guideline.MaxDescription),
		"Guideline.enabled":     says("Whether the guideline is used.").withKey("default", true),
		"Guideline.locked": says("If true, nobody can switch the guideline off or allow a single call that it stops, and "+
			"exceptions from other layers do not apply to it.").withKey("default", false),
		"Guideline.category": says("The group that the guideline belongs to."),
		"Guideline.priority": says("Guidelines with a higher priority come first.").
			withKey("minimum", 0).withKey("maximum", guideline.MaxPriority).withKey("default", guideline.DefaultPriority),
		"Guideline.condition": says("When the guideline applies: every field that is set must match. Without fields, the " +
			"guideline always applies."),
		"Guideline.action":     says("What the guideline does when it applies."),
		"Guideline.metadata":   says(`Any other data. The field "aliases" lists other ids of the guideline.`),
		"Guideline.version":    says("The version number; set by the store.").withKey("minimum", 0),
		"Guideline.created_at": says("When the guideline was created; set by the store."),
		"Guideline.updated_at": says("When the guideline was last changed; set by the store."),
		"Guideline.created_by": says("Who created the guideline.").withKey("maxLength", guideline.MaxNameLength),
		"Guideline.tenant_id": says("The tenant that the guideline is for; without it, all tenants.").withKey("maxLength",
			guideline.MaxIDLength),
		"Guideline.project_id": says("The project that a guideline in the store belongs to; without it, all projects. "+
			"Not for guidelines in files.").
			withKey("maxLength", guideline.MaxProjectID),
	}
}

func conditionNotes() map[string]schema {
	return map[string]schema{
		"Condition.agents":     says("Names of agents; one of them must match."),
		"Condition.domains":    says("Names of domains; one of them must match."),
		"Condition.actions":    says("Actions of a task; one of them must match."),
		"Condition.paths":      says("Globs; one of them must match one of the paths. * and ** also match slashes."),
		"Condition.events":     says("Events; one of them must match."),
		"Condition.gate_types": says("Types of gates; one of them must match."),
		"Condition.custom": says("Lists of accepted values by key: the task's metadata must have one of the values " +
			"for each key. The keys branch, weekday, time, project, os, permission_mode and headless are facts of the call."),
	}
}

func actionNotes() map[string]schema {
	return map[string]schema{
		"Action.type":          says("The kind of the action."),
		"Action.instruction":   says("The text that the agent receives.").withKey("maxLength", guideline.MaxInstruction),
		"Action.tools_allowed": says("Tool patterns such as Write(src/*); every other use of the same tools is denied."),
		"Action.tools_denied": says("Tool patterns such as Bash(rm *) that are denied, even if " +
			"another guideline allows them."),
		"Action.tools_asked":    says("Tool patterns such as Write(migrations/*): the gate asks only about these calls."),
		"Action.gate_type":      says("The name of the gate.").withKey("maxLength", guideline.MaxNameLength),
		"Action.gate_threshold": says("Whether the gate stops the call until a person approves it, or only warns.").withKey("default", guideline.Mandatory),
		"Action.max_files": says("How many files a commit may contain, or how many files may be "+
			"written before a commit.").withKey("minimum", 0),
		"Action.require_tests":  says("Whether the tests must have passed before a commit of source code."),
		"Action.require_review": says("Whether a merge, or a push to the default branch, needs a review first."),
		"Action.parameters": says(`Settings of the action. For the type "telemetry", they are "log" ("none", "decisions" or ` +
			`"full") and "sample" (0 to 1).`),
	}
}

func caseNotes() map[string]schema {
	return map[string]schema{
		"Case.name":    says("What the case shows.").withKey("minLength", 1),
		"Case.context": says("The task that the guidelines are evaluated for."),
		"Case.tool":    says("The name of the tool, such as Bash or Write.").withKey("minLength", 1),
		"Case.command": says("The command, if the tool runs a command.").withKey("minLength", 1),
		"Case.path":    says("The file, if the tool reads or writes a file.").withKey("minLength", 1),
		"Case.input":   says(`The tool's whole input, instead of "command" or "path".`),
		"Case.facts":   says("Facts about the session and the project; without them, the call is the first of a new session."),
		"Case.message": says("What a person writes to a model. The safety gate checks it.").withKey("minLength", 1),
		"Case.response": says("What a model answers to the message. The safety gate checks it, and not the message.").
			withKey("minLength", 1),
		"Case.expect": says("The expected result. Give at least one field.").withKey("minProperties", 1),

		"Context.agent":      says("The name of the agent."),
		"Context.domain":     says("The domain of the task."),
		"Context.action":     says("The action of the task."),
		"Context.paths":      says("The paths that the task touches."),
		"Context.event":      says("The event that happens."),
		"Context.gate_type":  says("The type of the gate."),
		"Context.tenant_id":  says("The tenant."),
		"Context.session_id": says("The session."),
		"Context.metadata":   says("Values that custom conditions are compared with."),
		"Context.unknown": says("Fields that are not known yet. A condition on such a field can still match.").
			withKey("items", oneOf(guideline.FieldNames())),
	}
}

func factNotes() map[string]schema {
	return map[string]schema{
		"Facts.files_changed": says("How many files the session has changed since the last commit.").withKey("minimum",
			0).withKey("maximum", maxFilesChanged),
		"Facts.tests":         says("The state of the tests since a source file last changed.").withKey("enum", TestStates()),
		"Facts.untested":      says("The source files that have changed since the tests last passed."),
		"Facts.test_commands": says("Commands that the settings name in test_commands."),
		"Facts.passed": says("Commands that the settings name in test_commands and that have succeeded since a source file " +
			"last changed."),
		"Facts.agreed": says("The guidelines whose question a person has already answered with yes. For a file " +
			"outside the project, the folder of the file follows after a space."),
		"Facts.time":            says("The time of the call."),
		"Facts.branch":          says("The branch that is checked out.").withKey("minLength", 1),
		"Facts.project":         says("The name of the project's folder.").withKey("minLength", 1),
		"Facts.os":              says("The operating system.").withKey("enum", guideline.Systems()),
		"Facts.permission_mode": says("The client's permission mode.").withKey("enum", guideline.PermissionModes()),
		"Facts.headless":        says("Whether no person can answer questions."),
		"Facts.exceptions":      says("The exceptions of the project."),
		"Exception.guideline":   says("The id of the guideline to which the exception applies.").withKey("minLength", 1),
		"Exception.tools": says("Tool patterns of the calls that the exception covers. Without " +
			"patterns, it covers every call."),
		"Exception.expires": says("When the exception ends. Without this field, it never ends."),
	}
}

func expectNotes() map[string]schema {
	return map[string]schema{
		"Expect.matches":              says("The ids of all guidelines that match."),
		"Expect.includes":             says("Ids of guidelines that must match. Other guidelines may match too."),
		"Expect.excludes":             says("Ids of guidelines that do not match."),
		"Expect.decision":             says("The decision on the tool call.").withKey("enum", Decisions()),
		"Expect.guideline":            says("The id of the guideline that decides.").withKey("minLength", 1),
		"Expect.gates":                says("The types of all gates that are required."),
		"Expect.tools_allowed":        says("All tool patterns that are allowed."),
		"Expect.tools_denied":         says("All tool patterns that are denied."),
		"Expect.tools_asked":          says("All tool patterns that gates ask about."),
		"Expect.constraints":          says("Constraints with their values.").withKey("minProperties", 1),
		"Expect.instruction_contains": says("Texts in the combined instruction."),
		"Expect.events":               says("Some of the events that the tool call causes."),
		"Expect.safety":               says("The verdict of the safety gate, without policies.").withKey("enum", Verdicts()),
		"Constraints.max_files": says("How many files a commit may contain, or how many files may be written "+
			"before a commit.").withKey("minimum", 0),
		"Constraints.require_tests":  says("Whether the tests must have passed before a commit of source code."),
		"Constraints.require_review": says("Whether a merge, or a push to the default branch, needs a review first."),
	}
}
