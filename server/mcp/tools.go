package mcp

import (
	"context"

	"guardrails/server/access"
	"guardrails/service"
	"guardrails/service/tools"
)

// serviceTools returns the tools that the type service.Service answers, in the order in which the server lists them.
func serviceTools() []tool {
	return []tool{
		{
			name: tools.GetContext, title: "Guidelines for a task", input: contextInput, output: contextOutput,
			needs: access.Decide,
			description: "Get applicable guidelines for the current task context: their combined instruction, which tools are " +
				"allowed and denied, and when the user is asked first. In the field unknown, name the fields that are not known " +
				"yet. Guidelines that may still apply are then listed too, with the part of their condition that cannot be " +
				"compared yet.",
		},
		{
			name: tools.LogDecision, title: "Log a gate decision", input: decisionInput, output: decisionOutput,
			needs: access.Decide, writes: true,
			description: "Log a gate decision for audit purposes. Decisions that hooks see, such as an approved dialog, " +
				"are logged automatically.",
		},
		{
			name: tools.List, title: "Guidelines of a project", input: listInput, output: listOutput, needs: access.Read,
			description: "List the guidelines in force in the project, highest priority first, each with the place where it is " +
				"defined and the definitions that it hides. A page has 50 guidelines unless you ask for more; next_cursor leads to " +
				"the next page.",
		},
		{
			name: tools.Get, title: "One guideline", input: getInput, output: getOutput, needs: access.Read,
			description: "Show one guideline as it was written, and where it is defined.",
		},
		{
			name: tools.Explain, title: "Why guidelines apply or not", input: explainInput, output: explainOutput,
			needs: access.Read,
			description: "Say for every guideline of the project whether it applies to a task context, and why: which " +
				"field decided, and which value or pattern matched.",
		},
		{
			name: tools.ExplainCall, title: "What a tool call would do", input: callInput, output: callOutput,
			needs: access.Read,
			description: "Say what one tool call would do and whether it is allowed: its effects, the decision, the guideline " +
				"that decides, why, and what may be done instead. " +
				"The call does not run.",
		},
	}
}

// answer() calls a tool and returns its answer. If an answer is too long to be sent twice, and the result "words"
// is not empty, the server sends this result in place of the answer's text.
func (s *Server) answer(ctx context.Context, name string, arguments []byte) (answer any, words string, err error) {
	if serve := s.tool(name).serve; serve != nil {
		answer, err = serve(s, ctx, arguments)
		return answer, "", err
	}
	answer, err = tools.Call(ctx, s.service, name, arguments)
	a, ok := answer.(*service.Answer)
	switch {
	case err != nil || !ok:
	case a.Result == nil || a.Definitions != nil:
		words = "for programs "
	case len(a.CombinedInstruction) > short/2:
		words = a.CombinedInstruction + "\n\n"
	}
	return answer, words, err
}
