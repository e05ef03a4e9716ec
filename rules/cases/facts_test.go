package cases_test

import (
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/rules/cases"
)

const limited = `
guidelines:
  - id: few-files
    name: Small steps
    category: context_constraint
    action: {type: constraint, max_files: 10}
  - id: tests-first
    name: Tests before a commit
    category: tdd_protocol
    action: {type: constraint, require_tests: true}
  - id: ask-push
    name: Pushing is for people
    category: hitl_gate
    condition: {events: [push]}
    action: {type: hitl_gate, gate_type: push}
  - id: custom
    name: No reading on a release branch
    category: security
    condition: {custom: {branch: release/*, project: shop, os: macos, permission_mode: plan, headless: true}}
    action: {type: tool_restriction, tools_denied: [Read]}
cases:
  - {name: a new session, tool: Write, path: a.go, expect: {decision: allow}}
  - {name: the tenth file, tool: Write, path: a.go, facts: {files_changed: 9}, expect: {decision: allow}}
  - {name: the eleventh file, tool: Write, path: a.go, facts: {files_changed: 10}, expect: {decision: ask, guideline: few-files}}
  - {name: no tests, tool: Bash, command: git commit -m x, facts: {tests: none}, expect: {decision: ask, guideline: tests-first}}
  - {name: tests passed, tool: Bash, command: git commit -m x, facts: {tests: passed}, expect: {decision: allow}}
  - name: an exception
    tool: Write
    path: a.go
    facts: {files_changed: 10, exceptions: [{guideline: few-files, tools: ["Write(*.go)"]}]}
    expect: {decision: allow}
  - name: an expired exception
    tool: Write
    path: a.go
    facts: {files_changed: 10, time: "2026-03-02T00:00:00Z", exceptions: [{guideline: few-files, expires: "2026-03-01T00:00:00Z"}]}
    expect: {decision: ask}
  - name: an untested file
    tool: Bash
    command: git commit -m x
    facts: {untested: [src/a.go]}
    expect: {decision: ask, guideline: tests-first}
  - name: a listed test has passed
    tool: Bash
    command: git commit -m x
    facts: {tests: none, passed: [./ready.sh]}
    expect: {decision: allow}
  - name: the call runs a listed test
    tool: Bash
    command: ./ready.sh && git commit -m x
    facts: {tests: none, test_commands: [./ready.sh]}
    expect: {decision: allow}
  - name: a script that is no listed test
    tool: Bash
    command: ./ready.sh && git commit -m x
    facts: {tests: none}
    expect: {decision: ask, guideline: tests-first}
  - {name: no yes yet, tool: Bash, command: git push, expect: {decision: ask, guideline: ask-push}}
  - {name: an earlier yes, tool: Bash, command: git push, facts: {agreed: [ask-push]}, expect: {decision: allow}}
  - {name: a yes to another question, tool: Bash, command: git push, facts: {agreed: [few-files]}, expect: {decision: ask}}
  - name: the custom facts
    tool: Read
    path: a.go
    facts: {branch: release/1, project: shop, os: macos, permission_mode: plan, headless: true}
    expect: {decision: deny, guideline: custom, includes: [custom]}
  - name: another branch
    tool: Read
    path: a.go
    facts: {branch: main, project: shop, os: macos, permission_mode: plan, headless: true}
    expect: {decision: allow, excludes: [custom]}
  - name: a person answers
    tool: Read
    path: a.go
    facts: {branch: release/1, project: shop, os: macos, permission_mode: plan, headless: false}
    expect: {decision: allow, excludes: [custom]}
`

func TestCasesMayStateFacts(t *testing.T) {
	file, problems := rules.Parse("limits.yaml", []byte(limited))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	set, err := evaluator.Compile((&rules.Loaded{Guidelines: file.Guidelines}).Plain())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range cases.Run(set, &toolcall.Env{}, file.Cases) {
		if !r.Passed {
			t.Errorf("%s: %s", r.Case.Name, strings.Join(r.Failures, "; "))
		}
	}
}

func TestUnknownFactsAreErrors(t *testing.T) {
	for facts, want := range map[string]string{
		"{files: 3}":                       "facts.files",
		"{tests: green}":                   "facts.tests",
		"{files_changed: -1}":              "facts.files_changed",
		"{time: tomorrow}":                 "is not a time",
		"{exceptions: [{tools: [Write]}]}": "facts.exceptions[0].guideline",
		"{exceptions: few-files}":          "is not a list",
		"{os: darwin}":                     "facts.os",
		"{permission_mode: yolo}":          "facts.permission_mode",
		"{headless: maybe}":                "facts.headless",
		"{agreed: few-files}":              "facts.agreed",
	} {
		text := "cases:\n  - {name: x, tool: Write, path: a, facts: " + facts + ", expect: {decision: allow}}\n"
		_, problems := rules.Parse("x.yaml", []byte(text))
		if err := problems.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", facts, err)
		}
	}
	_, problems := rules.Parse("x.yaml", []byte("cases:\n  - {name: x, context: {agent: a}, facts: {tests: none}, expect: {matches: []}}\n"))
	if err := problems.Err(); err == nil || !strings.Contains(err.Error(), "but no tool call") {
		t.Errorf("facts without a call: %v", err)
	}
}
