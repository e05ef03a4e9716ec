package rest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/server/rest"
)

// example is a request that the documentation shows. The test sends the requests in order.
type example struct {
	name, path, body string
	header           string
}

const (
	auditHeader = `Idempotency-Key: change-2026-02-05-`
	testsFirst  = `{"id":"tests-first","name":"Tests before code","category":"tdd_protocol","priority":700,"condition":{"agents":["backend"],"paths":["src/*"]},` +
		`"action":{"type":"instruction","instruction":"Write the test first."}}`
	askDeploy = `{"id":"ask-deploy","name":"Ask before a deployment","category":"hitl_gate","condition":{"events":["deploy"]},` +
		`"action":{"type":"hitl_gate","gate_type":"devops"}}`
)

var examples = []example{
	{"create_guideline", "", testsFirst, auditHeader + "1"},
	{"list_guidelines", "?category=tdd_protocol&enabled=true", "", ""},
	{"get_guideline", "/tests-first", "", ""},
	{"update_guideline", "/tests-first", `{"version":1,"priority":900}`, auditHeader + "2"},
	{"toggle_guideline", "/tests-first/toggle", "", `If-Match: "2"`},
	{"get_history", "/tests-first/history?page_size=1", "", ""},
	{"restore_guideline", "/tests-first/restore", `{"to_version":1,"version":3}`, auditHeader + "4"},
	{"import_guidelines", "/import?dry_run=true&on_conflict=update", "[" + askDeploy + "]", ""},
	{"evaluate_context", "/evaluate", `{"agent":"backend","paths":["src/worker.go"]}`, ""},
	{"explain_context", "/explain", `{"agent":"frontend","paths":["src/worker.go"]}`, ""},
	{"explain_call", "/explain-call", `{"agent":"backend","command":"git push --force origin main"}`, ""},
	{"lint_guidelines", "/lint", `{"text":"id: src-only\nname: Only in src\nevents: [comit]\ntell: Work in src.\n"}`, ""},
	{"preview_guidelines", "/preview", `{"draft":{"guidelines":[{"id":"no-force","name":"No forced push","category":"security",` +
		`"action":{"type":"tool_restriction","tools_denied":["Bash(git push --force:*)"]}}]},"call":{"command":"git push --force"}}`, ""},
	{"replay_calls", "/replay?date_from=2026-02-05&date_to=2026-02-05", `{"draft":{"guidelines":[{"id":"no-push","name":"No push","category":"security",` +
		`"action":{"type":"tool_restriction","tools_denied":["Bash(git push:*)"]}}]}}`, ""},
	{"test_condition", "/test-condition", `{"condition":{"agents":["backend"]}}`, ""},
	{"test_paths", "/test-paths", `{"patterns":["src/*",""],"paths":["src/worker.go","docs/a.md"]}`, ""},
	{"test_tools", "/test-tools", `{"patterns":["Bash(git push:*)"],"calls":[{"command":"cd x && git push"}]}`, ""},
	{"list_vocabularies", "/vocabularies", "", ""},
	{"list_packs", "/packs", "", ""},
	{"update_packs", "/packs", `{"dry_run":true}`, ""},
	{"summarize_decisions", "/summary?date_from=2026-02-05T08:00:00Z&date_to=2026-02-05T10:00:00Z", "", ""},
	{"list_sessions", "/sessions?date_from=2026-02-05&date_to=2026-02-05", "", ""},
	{"check_message", "/check/message", `{"message":"Am I going to be sued?","user":"u-17"}`, ""},
	{"check_response", "/check/response", `{"response":"I guarantee that it works. Mail anna@firma.de if not.","user":"u-17"}`, ""},
	{"get_policies", "/policies", "", ""},
	{"validate_policies", "/policies/validate", `{"text":"version: 1\nrules:\n  - {name: a, actions: [{type: send}]}\n"}`, ""},
	{"test_policies", "/policies/test", `{"facts":{"message":"Here is my SSN"}}`, ""},
	{"add_webhook", "/webhooks", `{"url":"https://hooks.example.com/guardrails","events":["safety.*"],"description":"People on duty"}`, auditHeader + "6"},
	{"list_webhooks", "/webhooks", "", ""},
	{"get_webhook", "/webhooks/WEBHOOK", "", ""},
	{"update_webhook", "/webhooks/WEBHOOK", `{"version":1,"events":["safety.*","decision.denied"]}`, auditHeader + "7"},
	{"rotate_webhook", "/webhooks/WEBHOOK/rotate", "", auditHeader + "8"},
	{"test_webhook", "/webhooks/WEBHOOK/test", "", auditHeader + "9"},
	{"list_deliveries", "/webhooks/WEBHOOK/deliveries?page_size=1", "", ""},
	{"replay_delivery", "/webhooks/WEBHOOK/deliveries/DELIVERY/replay", "", auditHeader + "10"},
	{"remove_webhook", "/webhooks/WEBHOOK?version=3", "", auditHeader + "11"},
	{"check_rumination", "/detect/rumination", `{"current_prompt":"is it safe to migrate?","threshold_count":2,"history":[` +
		`{"text":"is it safe to migrate","at":"2026-02-05T09:00:00Z"},{"text":"so it is safe to migrate?","at":"2026-02-05T09:20:00Z"}]}`, ""},
	{"check_hyperfocus", "/detect/hyperfocus", `{"chronometric_snapshot":{"now":"2026-02-05T20:07:00+01:00","open_session":{"session_id":"s-1",` +
		`"started_at":"2026-02-05T18:20:00+01:00","intent":"send the reply","elapsed_seconds":6420}},"end_of_day_local":"18:30"}`, ""},
	{"check_sycophancy", "/detect/sycophancy", `{"candidate_response":"You're absolutely right! I'll do that."}`, ""},
	{"check_tool_loop", "/detect/tool-loop", `{"calls":[{"tool":"Bash","input":{"command":"make"},"ok":false,"error":"undefined: a"},` +
		`{"tool":"Bash","input":{"command":"make"},"ok":false,"error":"undefined: a"},{"tool":"Bash","input":{"command":"make"},"ok":false,"error":"undefined: a"}]}`, ""},
	{"delete_guideline", "/tests-first?version=4", "", auditHeader + "5"},
	{"add_decisions", "/audit/entries", `{"entries":[{"id":"spool:2026-02-05:0:5d41402abc4b2a76","timestamp":"2026-02-05T08:59:00Z",` +
		`"event_type":"decision","session_id":"s-8","guideline_id":"tests-first","decision":{"result":"deny","tool":"Write"},` +
		`"context":{"agent":"backend"}}]}`, ""},
	{"list_audit", "/audit?event_type=guideline_updated&page_size=1", "", ""},
	{"get_audit_entry", "/audit/entries/change-2026-02-05-2:tests-first", "", ""},
	{"export_audit", "/audit/export?format=csv&event_type=guideline_updated", "", ""},
	{"audit_heads", "/audit/heads", "", ""},
	{"verify_audit", "/audit/verify", "", ""},
	{"export_guidelines", "/export?format=yaml", "", ""},
	{"get_stats", "/stats", "", ""},
	{"follow_events", "/events", "", ""},
	{"create_token", "/tokens", `{"name":"ci","role":"decide","expires":"2099-01-31T12:00:00Z"}`, ""},
	{"list_tokens", "/tokens", "", ""},
	{"revoke_token", "/tokens/ci", "", ""},
	{"get_settings", "/settings", "", ""},
	{"begin_session", "", `{"token":"` + ownersToken + `"}`, "X-Guardrails-Page: 1"},
	{"get_session", "", "", ""},
	{"end_session", "", "", "X-Guardrails-Page: 5d41402abc4b"},
	{"prove_server", "", `{"nonce":"6f1ed002ab5595859014ebf0951522d9"}`, ""},
}

// marker separates the handwritten part of the page from the generated part.
const marker = "<!-- What follows is written by the tests of server/rest: make generate -->\n"

func TestTheDocumentationMatchesTheServer(t *testing.T) {
	const file = "../../docs/rest.md"
	kept, err := os.ReadFile(file)
	check(t, err)
	byHand, _, found := strings.Cut(string(kept), marker)
	if !found {
		t.Fatalf("%s has no line %s", file, marker)
	}
	golden.Check(t, *update, file, byHand+marker+reference(t))
}

// The type "described" is an operation as the OpenAPI document describes it.
type described struct {
	method, path         string
	OperationID          string `json:"operationId"`
	Summary, Description string
	Parameters           []struct {
		Name, In, Description string
		Schema                struct {
			Enum    []string
			Default any
		}
	}
}

func operations(t *testing.T) []described {
	t.Helper()
	var document struct {
		Paths map[string]map[string]described
	}
	check(t, json.Unmarshal(rest.Document(), &document))
	var out []described
	for path, all := range document.Paths {
		for method, o := range all {
			o.method, o.path = strings.ToUpper(method), path
			out = append(out, o)
		}
	}
	return out
}

func reference(t *testing.T) string {
	api := newAPI(t)
	api.step = 0
	api.writeProject(".claude/guardrails.yaml", "packs: []\n")
	api.writeProject(".claude/guardrails-policies.yaml", "version: 1\nrules:\n"+
		"  - {name: pii_guard, when: {message_contains: my ssn}, actions: [{type: override_safety, action: HOLD}]}\n")
	all := operations(t)
	var b strings.Builder
	b.WriteString("\n| operation | what it does |\n|---|---|\n")
	for _, e := range examples {
		o := all[slices.IndexFunc(all, func(o described) bool { return o.OperationID == e.name })]
		fmt.Fprintf(&b, "| `%s %s` | %s |\n", o.method, o.path, o.Summary)
	}
	for _, e := range examples {
		o := all[slices.IndexFunc(all, func(o described) bool { return o.OperationID == e.name })]
		fmt.Fprintf(&b, "\n## %s\n\n`%s %s`: %s\n\n", o.Summary, o.method, o.path, o.Description)
		for _, p := range o.Parameters {
			if p.In == "query" && p.Name != "tenant_id" {
				fmt.Fprintf(&b, "* `%s`: %s%s\n", p.Name, p.Description, accepted(p.Schema.Enum, p.Schema.Default))
			}
		}
		b.WriteString("\n```http\n" + api.exampleText(&o, e) + "```\n")
	}
	if len(all) != len(examples)+1 {
		t.Errorf("%d operations and %d examples; every operation except the document needs one", len(all), len(examples))
	}
	// The id of a check is random.
	text := regexp.MustCompile("chk_[0-9a-f]{32}").ReplaceAllString(b.String(), "chk_5d41402abc4b2a76b9719d911017c592")
	return strings.ReplaceAll(text, "\n\n\n", "\n\n")
}

// accepted() returns a text with the values that a parameter accepts, and its default.
func accepted(choices []string, standard any) string {
	text := ""
	if len(choices) > 0 {
		text = " One of " + strings.Join(choices, ", ") + "."
	}
	if standard != nil {
		text += fmt.Sprintf(" Default: %v.", standard)
	}
	return text
}

// exampleText sends a request. It returns the request and its answer as text for the documentation.
func (api *testAPI) exampleText(o *described, e example) string {
	api.t.Helper()
	var b strings.Builder
	path := base + strings.NewReplacer("WEBHOOK", api.hook, "DELIVERY", api.delivery).Replace(e.path)
	if strings.HasPrefix(o.path, rest.SessionPath) {
		path = o.path
	}
	fmt.Fprintf(&b, "%s %s\n", o.method, path)
	var headers []string
	if e.header != "" {
		headers = append(headers, e.header)
		b.WriteString(e.header + "\n")
	}
	if e.body != "" {
		b.WriteString("\n" + indented(e.body) + "\n")
	}
	if e.name == "follow_events" {
		return b.String() + "\n" + stable(api.eventExample())
	}
	r := api.send(o.method, path, e.body, headers...)
	if r.status >= 300 {
		api.t.Errorf("%s: %d %s", e.name, r.status, r.text)
	}
	api.note(r.text)
	fmt.Fprintf(&b, "\n%d %s\n", r.status, http.StatusText(r.status))
	if tag := r.header.Get("ETag"); tag != "" {
		b.WriteString("ETag: " + tag + "\n")
	}
	return b.String() + "\n" + shortened(stable(indented(r.text))) + "\n"
}

// The constant "longest" limits how many lines of an answer the documentation shows.
const longest = 130

// shortened() returns the beginning of a long answer.
func shortened(text string) string {
	if lines := strings.SplitAfter(text, "\n"); len(lines) > longest {
		return strings.Join(lines[:longest/2], "") + "…"
	}
	return text
}

// note() stores the ids of the webhook and the delivery that are in an answer. The next examples use these ids.
func (api *testAPI) note(answer string) {
	if id := regexp.MustCompile("wh_[0-9a-f]{20}").FindString(answer); id != "" {
		api.hook = id
	}
	if id := regexp.MustCompile("dlv_[0-9a-f]{32}").FindString(answer); id != "" {
		api.delivery = id
	}
}

// eventExample returns the first lines that a client receives from the stream of events.
func (api *testAPI) eventExample() string {
	api.t.Helper()
	answer, err := http.Get(api.url + base + "/events")
	check(api.t, err)
	lines := bufio.NewScanner(answer.Body)
	var b strings.Builder
	for count := 0; count < 2 && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") {
			count++
		}
		if b.WriteString(lines.Text() + "\n"); count == 1 && lines.Text() == "" {
			api.create("ask-deploy", "")
		}
	}
	check(api.t, answer.Body.Close())
	return b.String()
}

func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return strings.TrimSpace(text)
	}
	return strings.TrimSpace(b.String())
}

// stable() replaces the parts of a text that differ in every run, such as hashes.
func stable(text string) string {
	for pattern, with := range map[string]string{
		`[0-9a-f]{64}`:           "5d41402abc4b…",
		`sqlite-[0-9a-f]{16}`:    "sqlite-7b1d",
		`id: [0-9A-Z]{26}-`:      "id: 06GZ7B1D-",
		`"gr_[0-9A-Za-z_-]{43}"`: `"gr_5TAl0Gwm…"`,
		`"[0-9A-Za-z_-]{43}"`:    `"5TAl0Gwm…"`,

		`whsec_[0-9A-Za-z_-]{43}`: "whsec_5TAl0Gwm…",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	return text
}
