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
