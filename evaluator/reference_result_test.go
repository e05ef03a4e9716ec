package evaluator_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"guardrails/evaluator"
	"guardrails/guideline"
)

func (r *reference) result() *evaluator.Result {
	out := &evaluator.Result{
		Success: true, Count: len(r.listed), MatchedCount: len(r.listed),
		Guidelines: []evaluator.Applied{}, ToolsDenied: r.denied(), ToolsAsked: r.asked(), GatesRequired: r.gates(), Constraints: r.constraints(),
	}
	out.ToolsAllowed = r.allowed(out.ToolsDenied)
	out.CombinedInstruction, out.Omitted = r.instruction()
	for _, l := range r.listed {
		out.Guidelines = append(out.Guidelines, l.applied())
	}
	return out
}

// instruction() first tries all blocks. If all blocks together are too long, it leaves out each block that is too long
// even alone. Then it leaves out the block with the lowest priority, again and again, until the rest fits.
func (r *reference) instruction() (text string, omitted []string) {
	for keep := len(r.listed) + 1; ; keep-- {
		text, omitted = r.instructionOf(keep)
		if utf8.RuneCountInString(text) <= evaluator.InstructionLimit {
			return text, omitted
		}
	}
}

func (r *reference) instructionOf(keep int) (text string, omitted []string) {
	var blocks []string
	for i, l := range r.listed {
		block := l.block()
		switch {
		case block == "":
		case i >= keep || keep <= len(r.listed) && !r.fitsAlone(i, block):
			omitted = append(omitted, l.ID)
		default:
			blocks = append(blocks, block)
		}
	}
	if omitted != nil {
		blocks = append(blocks, referenceNote(omitted, len(omitted)))
	}
	return strings.Join(blocks, "\n\n"), omitted
}

// fitsAlone reports whether one block and the last line fit into the limit. The last line names the guidelines of all
// other blocks.
func (r *reference) fitsAlone(number int, block string) bool {
	if len(block) < 8000 {
		return true
	}
	var others []string
	for i, l := range r.listed {
		if i != number && l.block() != "" {
			others = append(others, l.ID)
		}
	}
	note := "\n\n" + referenceNote(others, len(others))
	return utf8.RuneCountInString(block+note) <= evaluator.InstructionLimit
}

// referenceNote returns the line about the guidelines that were left out. It names the first guidelines. If the line
// has more than 300 characters, the last of these guidelines is left out, again and again, until the line is short
// enough.
func referenceNote(ids []string, named int) string {
	note := fmt.Sprintf("(Left out for length: %s.)", strings.Join(ids, ", "))
	if named < len(ids) {
		note = fmt.Sprintf("(Left out for length: %s and %d more.)", strings.Join(ids[:named], ", "), len(ids)-named)
	}
	if len(note) > 300 {
		return referenceNote(ids, named-1)
	}
	return note
}

func (l *listed) block() string {
	instruction := strings.TrimSpace(l.Action.Instruction)
	if instruction == "" {
		return ""
	}
	heading := fmt.Sprintf("### %s (%s)\n", l.Name, l.ID)
	if l.residual != 0 {
		heading += fmt.Sprintf("Applies when: %s.\n", strings.Join(l.openClauses(), "; "))
	}
	return heading + instruction
}

func (l *listed) openClauses() []string {
	var out []string
	add := func(field guideline.Fields, words string, values []string) {
		if l.residual.Has(field) {
			out = append(out, words+" "+strings.Join(values, " or "))
		}
	}
	c := &l.Condition
	add(guideline.FieldAgent, "agent is", c.Agents)
	add(guideline.FieldDomain, "domain is", c.Domains)
	add(guideline.FieldAction, "action is", c.Actions)
	add(guideline.FieldPaths, "paths match", c.Paths)
	add(guideline.FieldEvent, "event is", c.Events)
	add(guideline.FieldGateType, "gate type is", c.GateTypes)
	for _, key := range []string{"env", "team"} {
		if wanted, ok := c.Custom[key]; ok {
			words := strings.Fields(strings.Trim(fmt.Sprint(wanted), "[]"))
			add(guideline.FieldMetadata, "metadata "+key+" is", words)
		}
	}
	return out
}

func (l *listed) applied() evaluator.Applied {
	a := l.Action
	out := evaluator.Applied{
		ID: l.ID, Name: l.Name, Category: l.Category, Priority: l.Priority, ActionType: a.Type, Instruction: a.Instruction,
		ToolsAllowed: append([]string{}, a.ToolsAllowed...), ToolsDenied: append([]string{}, a.ToolsDenied...),
		ToolsAsked:    append([]string{}, a.ToolsAsked...),
		GateType:      a.GateType,
		Constraints:   evaluator.Constraints{MaxFiles: a.MaxFiles, RequireTests: a.RequireTests, RequireReview: a.RequireReview},
		MatchedFields: []string{},
	}
	if a.GateType != "" {
		out.GateThreshold = a.Threshold()
	}
	names := []string{"agents", "domains", "actions", "paths", "events", "gate_types", "custom"}
	for i, name := range names {
		if l.matched.Has(1 << i) {
			out.MatchedFields = append(out.MatchedFields, name)
		}
	}
	if l.residual != 0 {
		out.Residual = l.openCondition()
	}
	return out
}

func (l *listed) openCondition() *guideline.Condition {
	var open guideline.Condition
	for field, copyField := range map[guideline.Fields]func(){
		guideline.FieldAgent:    func() { open.Agents = l.Condition.Agents },
		guideline.FieldDomain:   func() { open.Domains = l.Condition.Domains },
		guideline.FieldAction:   func() { open.Actions = l.Condition.Actions },
		guideline.FieldPaths:    func() { open.Paths = l.Condition.Paths },
		guideline.FieldEvent:    func() { open.Events = l.Condition.Events },
		guideline.FieldGateType: func() { open.GateTypes = l.Condition.GateTypes },
		guideline.FieldMetadata: func() { open.Custom = l.Condition.Custom },
	} {
		if l.residual.Has(field) {
			copyField()
		}
	}
	return &open
}
