package mcp

import (
	"context"

	"guardrails/server/access"
	"guardrails/service"
)

// serviceTools are the tools that the service answers, in the order in which they are listed.
func serviceTools() []tool {
	return []tool{
		{
			name: service.ToolGetContext, title: "Guidelines for a task", input: contextInput, output: contextOutput, needs: access.Decide,
			description: "Get applicable guidelines for the current task context: their combined instruction, which tools are open and closed, where a person is asked first. " +
				"Fields that are not known yet can be named in unknown; guidelines that may hold then are listed with what is still open.",
		},
		{
			name: service.ToolLogDecision, title: "Log a gate decision", input: decisionInput, output: decisionOutput, needs: access.Decide, writes: true,
			description: "Log a gate decision for audit purposes. Decisions that the hooks see, such as a dialog that was approved, are logged without this.",
		},
		{
			name: service.ToolList, title: "Guidelines of a project", input: listInput, output: listOutput, needs: access.Read,
			description: "List the guidelines of the project in short, highest priority first.",
		},
		{
			name: service.ToolGet, title: "One guideline", input: getInput, output: getOutput, needs: access.Read,
			description: "Show one guideline as it was written, and which file defines it.",
		},
		{
			name: service.ToolExplain, title: "Why guidelines hold or not", input: explainInput, output: explainOutput, needs: access.Read,
			description: "Say of every guideline of the project why it holds for a task context or does not: which field decided, and which value or pattern matched.",
		},
		{
			name: service.ToolExplainCall, title: "What a tool call would do", input: callInput, output: callOutput, needs: access.Read,
			description: "Say what one tool call would do and whether it may: its effects, the decision, the guideline that decides, why, and what may be done instead. " +
				"Nothing of the call is run.",
		},
	}
}

// answer calls a tool. The words stand in place of an answer that is too large to be given as text too.
func (s *Server) answer(ctx context.Context, name string, arguments []byte) (answer any, words string, err error) {
	if serve := s.tool(name).serve; serve != nil {
		answer, err = serve(s, ctx, arguments)
		return answer, "", err
	}
	answer, err = s.service.Call(ctx, name, arguments)
	a, ok := answer.(*service.Answer)
	switch {
	case err != nil || !ok:
	case a.SessionCache != "" || a.Definitions != nil:
		words = "for programs "
	case len(a.CombinedInstruction) > short/2:
		words = a.CombinedInstruction + "\n\n"
	}
	return answer, words, err
}
