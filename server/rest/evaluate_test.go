package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

const projectGuidelines = `
- id: files-only
  name: Written beside the project
  category: custom
  condition: {agents: [backend]}
  action: {type: tool_restriction, tools_denied: ["Write(web/*)"]}
- id: of-the-bank
  name: Of another tenant
  category: custom
  tenant_id: bank
  condition: {agents: [backend]}
  action: {type: instruction, instruction: The vault is open.}
`

func TestAContextIsEvaluated(t *testing.T) {
	api := newAPI(t)
	api.writeProject(".claude/guardrails/a.yaml", projectGuidelines)
	api.create("stored", `"priority":900,"condition":{"agents":["backend"],"paths":["src/*"]},"metadata":{"tags":["x"]}`)
	api.create("gate", `"condition":{"events":["deploy"]},"action":{"type":"hitl_gate","gate_type":"devops"}`)
	r := api.send(http.MethodPost, base+"/evaluate",
		`{"agent":"backend","paths":["src/a.go"],"unknown":["event"]}`).is(200)
	if got, want := r.values("matching_guidelines", "id"), "stored files-only gate"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	r.has("matching_guidelines.0.metadata.tags.0", "x").has("matching_guidelines.0.version",
		"1").has("matching_guidelines.0.matched_fields", `["agents","paths"]`)
	r.has("matching_guidelines.2.residual.events.0", "deploy").has("combined_instruction",
		`### The stored one (stored)\nDo it.`).has("tools_denied", `["Write(web/*)"]`).has("gates_required", "[]")
	r.has("context.tenant_id", "shop").has("tools_allowed", "[]")
	api.send(http.MethodPost, base+"/evaluate", `{"agent":"x","event":"deploy"}`).is(200).has("gates_required.0.gate_type",
		"devops")
	if got := api.send(http.MethodPost, base+"/evaluate", `{}`).is(200).value("matching_guidelines"); got != "[]" {
		t.Errorf("%s", got)
	}
}

func TestAnEvaluationIsExplained(t *testing.T) {
	api := newAPI(t)
	api.writeProject(".claude/guardrails/a.yaml", projectGuidelines)
	api.create("stored", `"priority":900,"condition":{"agents":["backend"],"paths":["src/*"]}`)
	r := api.send(http.MethodPost, base+"/explain", `{"agent":"backend","paths":["web/a.go"]}`).is(200)
	r.has("guidelines.0.id", "stored").has("guidelines.0.outcome", "not_matched").has("guidelines.0.decided_by",
		"paths").has("guidelines.1.outcome", "matched")
	if strings.Contains(r.text, "of-the-bank") {
		t.Errorf("the answer has another tenant's guideline: %s", r.text)
	}
}

func TestEvaluateAndExplainAcceptOnlyFieldsOfATask(t *testing.T) {
	api := newAPI(t)
	for body, path := range map[string]string{
		`{"agent":"a","hook":true}`:                            "hook",
		`{"agent":"a","definitions":true}`:                     "definitions",
		`{"agent":"a","choice":"open"}`:                        "choice",
		`{"agent":"a","environment":{}}`:                       "environment",
		`{"agent":"a","project":"/etc"}`:                       "project",
		`{"agent":"a","agnet":"b"}`:                            "agnet",
		`{"agent":1}`:                                          "agent",
		`{"agent":"a","unknown":["x"],"paths":[""],"event":2}`: "paths[0]",
	} {
		for _, question := range []string{"/evaluate", "/explain"} {
			if r := api.send(http.MethodPost, base+question, body).is(400); !strings.Contains(r.text, `"path":"`+path+`"`) {
				t.Errorf("%s: %s", body, r.text)
			}
		}
	}
}
