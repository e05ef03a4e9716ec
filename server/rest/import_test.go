package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/rules"
)

func TestAnImportReportsTheResultOfEachGuideline(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.create("b", "")
	items := "[" + guideline("a", "") + "," + guideline("b", `"priority":900`) + "," + guideline("c", "") + "]"
	failed := api.send(http.MethodPost, base+"/import", items).is(409).has("code", "conflict")
	if got, want := failed.values("items", "outcome"), "failed failed created"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	api.get(base).has("total", "2")
	dry := api.send(http.MethodPost, base+"/import?dry_run=true", items).is(200).has("applied", "false").has("dry_run",
		"true").has("failed", "2").has("created", "1")
	if got := dry.values("items", "id"); got != "a b c" {
		t.Errorf("%s", got)
	}
	api.send(http.MethodPost, base+"/import?dry_run=true&on_conflict=update", items).is(200).has("applied",
		"false").has("updated", "1").has("unchanged", "1")
	api.get(base).has("total", "2")
	api.send(http.MethodPost, base+"/import?on_conflict=skip", items).is(200).has("applied", "true").has("skipped",
		"2").has("created", "1")
	api.send(http.MethodPost, base+"/import?on_conflict=update", items).is(200).has("unchanged", "2").has("updated", "1")
	api.get(base+"/b").has("priority", "900").has("version", "2")
	api.send(http.MethodPost, base+"/import", "[]").is(200).has("items", "[]")
}

func TestAnInvalidImportChangesNothing(t *testing.T) {
	api := newAPI(t)
	r := api.send(http.MethodPost, base+"/import",
		"["+guideline("a", "")+","+guideline("B", `"priority":-1`)+",7]").is(400)
	if got, want := r.values("errors", "path"), "[1].id [1].priority [2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	twice := api.send(http.MethodPost, base+"/import", "["+guideline("a", "")+","+guideline("a", "")+"]").is(400)
	if got := twice.values("items", "outcome"); got != "created failed" {
		t.Errorf("%s", got)
	}
	api.send(http.MethodPost, base+"/import", `{"guidelines":[]}`).is(400)
	api.get(base).has("total", "0")
}

func TestARepeatedImportHappensOnce(t *testing.T) {
	api := newAPI(t)
	items := "[" + guideline("a", "") + "]"
	first := api.send(http.MethodPost, base+"/import", items, "Idempotency-Key: import-1").is(200)
	if again := api.send(http.MethodPost, base+"/import", items,
		"Idempotency-Key: import-1").is(200); again.text != first.text {
		t.Errorf("%s, then %s", first.text, again.text)
	}
	api.get(base+"/a").has("version", "1")
}

func TestAnExportCanBeImported(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"category":"security","condition":{"paths":["src/*"]},"metadata":{"tags":["x"]}`)
	api.create("b", "")
	exported := api.get(base + "/export")
	if exported.header.Get("Content-Disposition") != `attachment; filename="guidelines.json"` {
		t.Errorf("%v", exported.header)
	}
	if got := api.get(base + "/export?category=security").text; !strings.Contains(got, `"a"`) ||
		strings.Contains(got, `"b"`) {
		t.Errorf("%s", got)
	}
	for _, id := range []string{"a", "b"} {
		api.send(http.MethodDelete, base+"/"+id, "").is(200)
	}
	api.send(http.MethodPost, base+"/import", exported.text).is(200).has("created", "2")
	api.get(base+"/a").has("metadata.tags.0", "x").has("condition.paths.0", "src/*")
	file, problems := rules.Parse("x.yaml", []byte(api.get(base+"/export?format=yaml").text))
	if problems != nil || len(file.Guidelines) != 2 || file.Guidelines[0].ID != "a" || file.Guidelines[0].TenantID != "" {
		t.Errorf("%v %+v", problems, file)
	}
}

func TestAnImportReadsYAMLAsItReadsJSON(t *testing.T) {
	api := newAPI(t)
	const yaml = "Content-Type: application/yaml"
	file := "guidelines:\n  - id: a\n    name: A\n    agents: [backend]\n    tell: Do it.\n  - {id: b, name: B, deny: [Read], because: no}\n"
	api.send(http.MethodPost, base+"/import?dry_run=true", file, yaml).is(200).has("created", "2").has("applied", "false")
	api.send(http.MethodPost, base+"/import", file, yaml).is(200).has("created", "2").has("applied", "true")
	api.get(base+"/a").has("condition.agents", `["backend"]`).has("action.instruction", "Do it.")
	r := api.send(http.MethodGet, base+"/export?format=yaml", "").is(200)
	api.send(http.MethodPost, base+"/import?on_conflict=update", r.text, yaml).is(200).has("unchanged", "2")
	for text, want := range map[string]string{
		"- {id: c, name: C}\n- {id: D}": `"path":"[1].id"`, "a: [": `"code":"invalid"`, "- {id: c, name: C, tell: x, tenant_id: other}": "tenant",
	} {
		r := api.send(http.MethodPost, base+"/import", text, yaml)
		if r.status != 400 && r.status != 403 || !strings.Contains(r.text, want) {
			t.Errorf("%s: %d %s", text, r.status, r.text)
		}
	}
	api.send(http.MethodPost, base+"/import", "x", "Content-Type: text/yaml").is(415)
	api.send(http.MethodPost, base, "id: c", yaml).is(415)
	api.get(base).has("total", "2")
}

func TestADryRunShowsWhatWouldChange(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"priority":700,"condition":{"agents":["backend"]}`)
	api.create("same", "")
	items := "[" + guideline("a", `"priority":900,"condition":{"agents":["frontend"]}`) + "," + guideline("same", "") + "," + guideline("new", "") + "]"
	for _, how := range []string{"update", "fail", "skip"} {
		r := api.send(http.MethodPost, base+"/import?dry_run=true&on_conflict="+how, items).is(200)
		r.has("items.0.changes", `[{"field":"condition.agents","new_value":["frontend"],"old_value":["backend"]},{"field":"priority","new_value":900,"old_value":700}]`).
			has("items.1.changes", "null").has("items.2.changes", "null")
	}
	api.send(http.MethodPost, base+"/import?on_conflict=update", items).is(200).has("items.0.changes", "null").has("updated", "1")
}

func TestAnExportHasTheGuidelinesThatMatchTheFilter(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"condition":{"agents":["backend"]},"metadata":{"tags":["team"]}`)
	api.create("b", `"enabled":false,"description":"about invoices"`)
	api.create("c", `"category":"security","condition":{"events":["push"]}`)
	for query, want := range map[string]string{
		"": "a b c", "?enabled=false": "b", "?agent=backend": "a", "?tag=team": "a", "?search=INVOICES": "b", "?category=security": "c",
		"?event=push": "c", "?id=c,a": "a c", "?id=a&enabled=false": "", "?project_id=": "a b c", "?project_id=x": "",
	} {
		var got []string
		r := api.get(base + "/export" + query)
		for i := range 4 {
			if id := r.value(string(rune('0'+i)) + ".id"); id != "" {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	api.send(http.MethodGet, base+"/export?id=a,none", "").is(400)
	api.send(http.MethodGet, base+"/export?sort=name", "").is(400)
}
