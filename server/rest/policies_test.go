package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/server/access"
)

const policyFile = ".claude/guardrails-policies.yaml"

func TestPoliciesSayWhichRulesAreInForce(t *testing.T) {
	const good = "version: 1\nrules:\n  - {name: low, priority: 1, actions: [{type: stop}]}\n  - {name: soft, actions: [{type: override_safety, action: PROCEED}]}\n"
	for _, c := range []struct{ name, first, then, state, part string }{
		{"no file", "", "", "none", `"rules":[]`},
		{"a file", good, "", "in_force", `"rules":[{"name":"soft","priority":50,"actions":["override_safety"]},{"name":"low"`},
		{"the project is not trusted", good, "", "in_force", "the rule soft in "},
		{"a mistake", "version: 2\n", "", "broken", "no policy applies"},
		{"a mistake after a good file", good, "version: 2\n", "last_good", `"line":1,"path":"version"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			for _, text := range []string{c.first, c.then} {
				if text != "" {
					api.writeProject(policyFile, text)
				}
				api.get(base + "/policies")
			}
			api.actAs(access.Caller{Name: "reader", Tenant: "shop", Role: access.Read})
			got := api.get(base + "/policies").text
			if !strings.Contains(got, `"state":"`+c.state+`"`) || !strings.Contains(got, c.part) {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestThePoliciesOfTheProjectAreNotForOtherTenants(t *testing.T) {
	api := newAPI(t)
	api.writeProject(policyFile, "version: 1\nrules:\n  - {name: own, actions: [{type: stop}]}\n")
	api.actAs(access.Caller{Name: "reader", Tenant: "other", Role: access.Read})
	for _, got := range []string{
		api.send(http.MethodGet, base+"/policies", "").is(403).text,
		api.send(http.MethodPost, base+"/policies/test", `{"facts":{}}`).is(403).text,
	} {
		if strings.Contains(got, "own") {
			t.Errorf("got %s", got)
		}
	}
	api.send(http.MethodPost, base+"/policies/test", `{"facts":{},"rules":[{"name":"b","actions":[{"type":"stop"}]}]}`).is(200)
}

func TestPoliciesAreValidatedAndTried(t *testing.T) {
	api := newAPI(t)
	api.writeProject(policyFile, "version: 1\nrules:\n  - {name: own, when: {mood: '< 0.3'}, actions: [{type: override_safety, action: HOLD}]}\n")
	api.actAs(access.Caller{Name: "reader", Tenant: "shop", Role: access.Read})
	for _, c := range []struct {
		name, path, body string
		status           int
		part             string
	}{
		{"a good file", "validate", `{"text":"version: 1\nrules: []\n"}`, 200, `"rules":0,"problems":[]`},
		{"a file with a mistake", "validate", `{"text":"version: 1\nrules: [{}]\n"}`, 200, `"line":2,"path":"rules[0].name"`},
		{"no text", "validate", `{}`, 400, `"path":"text"`},
		{"a number", "validate", `{"text":1}`, 400, `"path":"text"`},
		{"an unknown field", "validate", `{"text":"","file":"x"}`, 400, `"path":"file"`},
		{"the rules of the project", "test", `{"facts":{"mood":0.1}}`, 200, `"action":"HOLD"`},
		{"a fact that is not known", "test", `{"facts":{}}`, 200, `{"rule":"own","value":"unknown"`},
		{
			"other rules", "test", `{"facts":{"mood":0.1},"rules":[{"name":"b","when":{"not":{"mood":"> 1"}},"actions":[{"type":"stop"}]}]}`, 200,
			`"trace":[{"rule":"b","value":"true","conditions":[{"path":"when.not","value":"true"},{"path":"when.not.mood","value":"false"}]}]`,
		},
		{"a wrong rule", "test", `{"facts":{},"rules":[{"name":"b"}]}`, 400, `"path":"rules[0].actions"`},
		{
			"expressions that need much memory", "test", `{"facts":{},"rules":[` + strings.TrimSuffix(strings.Repeat(
				`{"name":"b","when":{"message_matches":"(?:`+strings.Repeat("[ab]", 90)+
					`){999}"},"actions":[{"type":"stop"}]},`, 2), ",") + `]}`,
			400, "makes the regular expressions too large",
		},
		{"no facts", "test", `{}`, 400, `"path":"facts"`},
		{"no JSON", "test", `{`, 400, `"code"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := api.send(http.MethodPost, base+"/policies/"+c.path, c.body)
			if r.status != c.status || !strings.Contains(r.text, c.part) {
				t.Errorf("got %d %s", r.status, r.text)
			}
		})
	}
}
