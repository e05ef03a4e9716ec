package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

func (c *checker) checkTexts(s *subject) {
	if size := utf8.RuneCountInString(s.Action.Instruction); size > c.options.MaxInstruction {
		c.report(s, "action.instruction", InstructionTooLong, Warning,
			fmt.Sprintf("has %d characters (more than %d), and is added to every prompt to which the guideline applies", size,
				c.options.MaxInstruction),
			"say what to do in a few sentences, and name a file that has the details")
	}
	// A Markdown rule needs no description, because people read the rule itself.
	if isBlank(s.Description) && !strings.HasSuffix(strings.ToLower(s.Origin.File), ".md") {
		c.report(s, "description", NoDescription, Warning, "is missing", "say in a sentence what the guideline is for")
	}
}

// maxContexts is the largest number of contexts for which the total length of the instructions is checked.
const maxContexts = 5000

// checkCombinedInstructions reports instructions that are left out because instructions with a higher priority take
// up all the space. It uses the contexts of prompts, in which paths and events are still unknown.
func (c *checker) checkCombinedInstructions(l *rules.Loaded) {
	set, err := evaluator.Compile(l.Plain())
	if err != nil || c.fitsAll() {
		// A pattern that does not compile has already been reported when the file was read.
		return
	}
	reported := map[string]bool{}
	for _, context := range c.contexts() {
		q := evaluator.Query{Context: context, Unknown: guideline.FieldPaths | guideline.FieldEvent | guideline.FieldGateType}
		for _, id := range set.Evaluate(&q).Omitted {
			if reported[id] {
				continue
			}
			reported[id] = true
			i := slices.IndexFunc(c.subjects, func(s *subject) bool { return s.ID == id })
			c.report(c.subjects[i], "action.instruction", InstructionTooLong, Warning,
				fmt.Sprintf("is left out %s, because the instructions together are longer than %d characters",
					describe(&context), evaluator.InstructionLimit),
				"shorten the instructions, or narrow the conditions of some guidelines")
		}
	}
}

// fitsAll reports whether all instructions of the set together certainly fit. In most sets, all instructions fit, and
// nothing else has to be checked.
func (c *checker) fitsAll() bool {
	total := 0
	for _, s := range c.subjects {
		// The combined text also contains the name, id and condition of each guideline.
		const around = 1000
		if s.Enabled && !isBlank(s.Action.Instruction) {
			total += around + utf8.RuneCountInString(s.Action.Instruction)
		}
	}
	return total <= evaluator.InstructionLimit
}

// contexts() returns all combinations of the agents, domains, actions and tenants that guidelines name. In some
// combinations, one or more of these fields are empty. If there are too many combinations, contexts() combines only the
// agents and the tenants.
func (c *checker) contexts() []guideline.Context {
	agents, domains, actions, tenants := []string{""}, []string{""}, []string{""}, []string{""}
	for _, s := range c.subjects {
		agents = join(agents, s.Condition.Agents)
		domains = join(domains, s.Condition.Domains)
		actions = join(actions, s.Condition.Actions)
		tenants = join(tenants, []string{s.TenantID})
	}
	if len(agents)*len(domains)*len(actions)*len(tenants) > maxContexts {
		domains, actions = domains[:1], actions[:1]
	}
	var out []guideline.Context
	for _, tenant := range tenants {
		for _, agent := range agents {
			for _, domain := range domains {
				for _, action := range actions {
					out = append(out, guideline.Context{Agent: agent, Domain: domain, Action: action, TenantID: tenant})
				}
			}
		}
	}
	return out[:min(len(out), maxContexts)]
}

func join(list, more []string) []string {
	for _, word := range more {
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

func describe(context *guideline.Context) string {
	var parts []string
	for _, p := range [][2]string{
		{"tenant", context.TenantID}, {"agent", context.Agent}, {"domain", context.Domain}, {"action", context.Action},
	} {
		if p[1] != "" {
			parts = append(parts, fmt.Sprintf("%s %q", p[0], p[1]))
		}
	}
	if len(parts) == 0 {
		return "in every context"
	}
	return "for " + strings.Join(parts, ", ")
}
