package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addPrompt offers the request to write a guideline.
func addPrompt(library *server.MCPServer) {
	prompt := mcp.Prompt{
		Name: "write_guideline", Title: "Write a guideline", Description: "Turn a rule in plain words into a guideline with cases that prove it",
		Arguments: []mcp.PromptArgument{
			{Name: "rule", Description: "The rule in plain words, such as: nobody deploys on a Friday without asking", Required: true},
			{Name: "file", Description: "The file that it goes into (default: a new one in .claude/guardrails)"},
		},
	}
	library.AddPrompt(prompt, func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		rule := strings.TrimSpace(r.Params.Arguments["rule"])
		if rule == "" {
			return nil, errors.New("rule: is missing; say the rule in plain words")
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

// writing is how a guideline is written, as a model needs to know it.
const writing = `Propose a guideline for guardrails, as YAML for a file in .claude/guardrails. That folder is guarded: show the file to the user, who puts it there.

guidelines:
  - id: hitl-gate-friday-deploys      # a-z, 0-9, dot, underscore, hyphen
    name: Deploys on a Friday need a person
    description: What it is for, in one or two sentences.
    category: hitl_gate               # cognitive_isolation, hitl_gate, tdd_protocol, context_constraint, audit_telemetry, security, custom
    priority: 900                     # 0 to 1000; the higher one decides
    condition:                        # every field that is set must match, any item of it will do; leave out what does not matter
      agents: [devops]
      events: [deploy]                # "guardrails events" lists them
      # paths: ["deploy/*"]           # * crosses slashes
    action:
      type: hitl_gate                 # instruction, tool_restriction, hitl_gate, constraint, telemetry
      gate_type: friday_deploy        # with gate_threshold: mandatory or advisory
      gate_threshold: mandatory
      instruction: Deploys ask the user first.
      parameters:
        instead: wait for Monday, or ask the user.   # what a refusal suggests
      # tool_restriction: tools_denied: ["Write(locked/*)", "Bash(kubectl:*)"], tools_allowed: [...]
      # constraint: max_files: 5, require_tests: true, require_review: true
cases:                                # run by "guardrails test FILE"
  - name: a deploy asks
    context: {agent: devops}
    tool: Bash
    command: kubectl apply -f deploy/a.yaml
    expect: {decision: ask, guideline: hitl-gate-friday-deploys}

Deny beats allow. A path pattern on Write or Edit holds for every way of writing that file, Bash included. Say in instruction what holds, as a fact.
Look at guardrails_list first: a guideline of the same purpose is better changed than doubled. "guardrails lint FILE" and "guardrails test FILE" check the result.
`
