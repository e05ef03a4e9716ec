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

// texts looks at what people and agents are given to read.
func (c *checker) texts(s *subject) {
	if size := utf8.RuneCountInString(s.Action.Instruction); size > c.options.MaxInstruction {
		c.report(s, InstructionTooLong, Warning,
			fmt.Sprintf("action.instruction: has %d characters, more than %d, and is given to the agent with every prompt it fits", size, c.options.MaxInstruction),
			"say what to do in a few sentences and name the file that has the rest")
	}
	// A Markdown rule is its own description.
	if isBlank(s.Description) && !strings.HasSuffix(strings.ToLower(s.Origin.File), ".md") {
		c.report(s, NoDescription, Warning, "description: is missing", "say in a sentence what the guideline is for")
	}
}

// maxContexts bounds the contexts that are tried for the length of all their instructions.
const maxContexts = 5000

// combinedInstructions finds instructions that are left out because those of higher priorities fill the space. A
// context is tried as a prompt has it: which paths and events it will come to is not known yet.
func (c *checker) combinedInstructions(l *rules.Loaded) {
	set, err := evaluator.Compile(l.Plain())
	if err != nil || c.fitsAll() {
		// What does not compile has been reported where it was read.
		return
	}
	told := map[string]bool{}
	for _, context := range c.contexts() {
		q := evaluator.Query{Context: context, Unknown: guideline.FieldPaths | guideline.FieldEvent | guideline.FieldGateType}
		for _, id := range set.Evaluate(&q).Omitted {
			if told[id] {
				continue
			}
			told[id] = true
			i := slices.IndexFunc(c.subjects, func(s *subject) bool { return s.ID == id })
			c.report(c.subjects[i], InstructionTooLong, Warning,
				fmt.Sprintf("action.instruction: is left out %s, where all instructions together have more than %d characters",
					describe(&context), evaluator.InstructionLimit),
				"shorten the instructions, or narrow the conditions of some")
		}
	}
}

// fitsAll is the quick answer for most sets: all instructions together have room.
func (c *checker) fitsAll() bool {
	total := 0
	for _, s := range c.subjects {
		// Names, ids and conditions are written beside an instruction.
		const around = 1000
		if s.Enabled && !isBlank(s.Action.Instruction) {
			total += around + utf8.RuneCountInString(s.Action.Instruction)
		}
	}
	return total <= evaluator.InstructionLimit
}

// contexts are the combinations of agents, domains and actions that conditions name, each also absent; when they are
// too many, only the agents.
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

// describe says in words which context is meant.
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
