package guideline

import (
	"reflect"
	"strings"
	"testing"

	"guardrails/internal/document"
)

func TestContextsAreDecodedStrictly(t *testing.T) {
	full := Context{
		Agent: "backend", Domain: "P01", Action: "implement", Paths: []string{"src/a"}, Event: "commit", GateType: "review",
		TenantID: "acme", SessionID: "s", Metadata: map[string]any{"a": "b"},
	}
	const every = `"agent":"backend","domain":"P01","action":"implement","paths":["src/a"],"event":"commit","gate_type":"review","tenant_id":"acme","session_id":"s","metadata":{"a":"b"}`
	for _, c := range []struct {
		name, text string
		context    Context
		unknown    Fields
		problems   string
	}{
		{name: "every field", text: `{` + every + `}`, context: full},
		{name: "unknown fields", text: `{"agent":"a","unknown":["paths","event","metadata"]}`, context: Context{Agent: "a"}, unknown: FieldPaths | FieldEvent | FieldMetadata},
		{name: "nothing", text: `{}`},
		{name: "nulls", text: `{"agent":null,"domain":null,"action":null,"paths":null,"event":null,"gate_type":null,"tenant_id":null,"session_id":null,"metadata":null,"unknown":null}`},
		{name: "empty lists", text: `{"paths":[],"unknown":[]}`},
		{
			name: "wrong types", text: `{"agent":1,"paths":"src","metadata":[],"unknown":"paths"}`,
			problems: "c: ctx.agent: is a number where a string is expected; write a string\n" +
				"c: ctx.paths: is a string where a list is expected; write a list\n" +
				"c: ctx.metadata: is a list where an object is expected; write an object\n" +
				"c: ctx.unknown: is a string where a list is expected; write a list",
		},
		{
			name: "no field", text: `{"agents":["a"],"unknown":["path",3,""]}`,
			problems: "c: ctx.agents: unknown field; did you mean \"agent\"?\n" +
				"c: ctx.unknown[0]: \"path\" is not a field of a context; use one of agent, domain, action, paths, event, gate_type, metadata\n" +
				"c: ctx.unknown[1]: is a number where a string is expected; write a string\n" +
				"c: ctx.unknown[2]: is empty; remove the item or write a value",
		},
		{name: "control character", text: `{"agent":"a\u0000"}`, problems: "c: ctx.agent: contains a control character at byte 1; remove it"},
		{name: "no object", text: `[]`, problems: "c: ctx: is a list where an object is expected; write an object"},
	} {
		n, broken := document.ParseJSON("c", []byte(c.text))
		if broken != nil {
			t.Fatalf("%s: %v", c.name, broken)
		}
		d := &document.Decoder{File: "c"}
		got, unknown := DecodeContext(d, n, "ctx")
		if problems := strings.ReplaceAll(d.Problems.Error(), "c:1:", "c:"); problems != c.problems {
			t.Errorf("%s: problems\n%s\nwant\n%s", c.name, problems, c.problems)
		}
		if c.problems == "" && (!reflect.DeepEqual(got, c.context) || unknown != c.unknown) {
			t.Errorf("%s: got %+v, unknown %v", c.name, got, unknown.Names())
		}
	}
}

func TestFieldSetsHaveNames(t *testing.T) {
	set, bad := ParseFields([]string{"paths", "agent", "paths"})
	if bad != "" || !reflect.DeepEqual(set.Names(), []string{"agent", "paths"}) {
		t.Errorf("got %v, %q", set.Names(), bad)
	}
	if !set.Has(FieldPaths) || set.Has(FieldEvent) {
		t.Errorf("got %v", set.Names())
	}
	if _, bad := ParseFields([]string{"agent", "tenant_id", "x"}); bad != "tenant_id" {
		t.Errorf("got %q", bad)
	}
	all, _ := ParseFields(FieldNames())
	if !reflect.DeepEqual(all.Names(), FieldNames()) {
		t.Errorf("got %v", all.Names())
	}
}
