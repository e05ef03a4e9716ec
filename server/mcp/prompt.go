package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func addPrompt(library *server.MCPServer) {
	prompt := mcp.Prompt{
		Name: "write_guideline", Title: "Write a guideline",
		Description: "Turn a rule in plain words into a guideline, with cases that test it",
		Arguments: []mcp.PromptArgument{
			{Name: "rule", Description: "The rule in plain words, such as: nobody deploys on a Friday", Required: true},
			{Name: "file", Description: "The file for the guideline (default: a new one in .claude/guardrails)"},
		},
	}
	library.AddPrompt(prompt, func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		rule := strings.TrimSpace(r.Params.Arguments["rule"])
		if rule == "" {
			return nil, errors.New("rule: is missing; write the rule in plain words")
		}
		text := writing + "\nThe rule: " + rule + "\n"
		if file := strings.TrimSpace(r.Params.Arguments["file"]); file != "" {
			text += "The file: " + file + "\n"
		}
		return &mcp.GetPromptResult{
			Description: "How to write a guideline",
			Messages:    []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))},
		}, nil
	})
}

const writing = `Propose a guideline for guardrails, as YAML for a file in .claude/guardrails. You cannot write to that folder: show the file to the user, who saves it there.

guidelines:
  - id: hitl-gate-deployments         # a-z, 0-9, dot, underscore, hyphen
    name: Deployments need approval
    description: The purpose, in one or two sentences.
    category: hitl_gate               # cognitive_isolation, hitl_gate, tdd_protocol, context_constraint, audit_telemetry, security, custom
    priority: 900                     # 0 to 1000; the guideline with the higher priority decides
    condition:                        # every given field must match, with any of its items; leave out what does not matter
      agents: [devops]
      events: [deploy]                # "guardrails events" lists them
      # paths: ["deploy/*"]           # * also matches slashes; with events: [file_write] it is about writing only
      # custom: {weekday: friday}     # facts: branch, weekday, time (">=16:00"), project, os, permission_mode, headless
    action:
      type: hitl_gate                 # instruction, tool_restriction, hitl_gate, constraint, telemetry
      gate_type: deployment           # with gate_threshold: mandatory or advisory
      gate_threshold: mandatory
      instruction: A deployment needs the approval of the user.
      parameters:
        instead: show the user what would be deployed.   # what a refusal suggests
      # tools_asked: ["Write(migrations/**)"]          # ask only about these calls
      # tool_restriction: tools_denied: ["Write(locked/*)", "Bash(kubectl:*)"], tools_allowed: [...]
      # constraint: max_files: 5, require_tests: true, require_review: true
cases:                                # run by "guardrails test FILE"
  - name: a deployment asks
    context: {agent: devops}
    tool: Bash
    command: kubectl apply -f deploy/a.yaml
    expect: {decision: ask, guideline: hitl-gate-deployments}

A denied tool stays denied even if another guideline allows it. A path pattern on Write or Edit applies to every way of writing the file, including Bash. Write the instruction as a statement of fact.
Look at guardrails_list first: if a guideline has the same purpose, change it instead of adding another. "guardrails lint FILE" and "guardrails test FILE" check the result.
`
