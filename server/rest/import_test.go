package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/rules"
)

func TestAnImportSaysWhatBecameOfEach(t *testing.T) {
	d := newDoor(t)
	d.make("a", "")
	d.make("b", "")
	items := "[" + guideline("a", "") + "," + guideline("b", `"priority":900`) + "," + guideline("c", "") + "]"
	failed := d.send(http.MethodPost, base+"/import", items).is(409).has("code", "conflict")
	if got, want := failed.each("items", "outcome"), "failed failed created"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	d.get(base).has("total", "2")
	dry := d.send(http.MethodPost, base+"/import?dry_run=true", items).is(200).has("applied", "false").has("dry_run", "true").has("failed", "2").has("created", "1")
	if got := dry.each("items", "id"); got != "a b c" {
		t.Errorf("%s", got)
	}
	d.send(http.MethodPost, base+"/import?dry_run=true&on_conflict=update", items).is(200).has("applied", "false").has("updated", "1").has("unchanged", "1")
	d.get(base).has("total", "2")
	d.send(http.MethodPost, base+"/import?on_conflict=skip", items).is(200).has("applied", "true").has("skipped", "2").has("created", "1")
	d.send(http.MethodPost, base+"/import?on_conflict=update", items).is(200).has("unchanged", "2").has("updated", "1")
	d.get(base+"/b").has("priority", "900").has("version", "2")
	d.send(http.MethodPost, base+"/import", "[]").is(200).has("items", "[]")
}

func TestAnImportWithMistakesTakesNothingIn(t *testing.T) {
	d := newDoor(t)
	r := d.send(http.MethodPost, base+"/import", "["+guideline("a", "")+","+guideline("B", `"priority":-1`)+",7]").is(400)
	if got, want := r.each("errors", "path"), "[1].id [1].priority [2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	twice := d.send(http.MethodPost, base+"/import", "["+guideline("a", "")+","+guideline("a", "")+"]").is(400)
	if got := twice.each("items", "outcome"); got != "created failed" {
		t.Errorf("%s", got)
	}
	d.send(http.MethodPost, base+"/import", `{"guidelines":[]}`).is(400)
	d.get(base).has("total", "0")
}

func TestARepeatedImportHappensOnce(t *testing.T) {
	d := newDoor(t)
	items := "[" + guideline("a", "") + "]"
	first := d.send(http.MethodPost, base+"/import", items, "Idempotency-Key: import-1").is(200)
	if again := d.send(http.MethodPost, base+"/import", items, "Idempotency-Key: import-1").is(200); again.text != first.text {
		t.Errorf("%s, then %s", first.text, again.text)
	}
	d.get(base+"/a").has("version", "1")
}

func TestWhatIsExportedCanBeImported(t *testing.T) {
	d := newDoor(t)
	d.make("a", `"category":"security","condition":{"paths":["src/*"]},"metadata":{"tags":["x"]}`)
	d.make("b", "")
	exported := d.get(base + "/export")
	if exported.header.Get("Content-Disposition") != `attachment; filename="guidelines.json"` {
		t.Errorf("%v", exported.header)
	}
	if got := d.get(base + "/export?category=security").text; !strings.Contains(got, `"a"`) || strings.Contains(got, `"b"`) {
		t.Errorf("%s", got)
	}
	for _, id := range []string{"a", "b"} {
		d.send(http.MethodDelete, base+"/"+id, "").is(200)
	}
	d.send(http.MethodPost, base+"/import", exported.text).is(200).has("created", "2")
	d.get(base+"/a").has("metadata.tags.0", "x").has("condition.paths.0", "src/*")
	file, problems := rules.Parse("x.yaml", []byte(d.get(base+"/export?format=yaml").text))
	if problems != nil || len(file.Guidelines) != 2 || file.Guidelines[0].ID != "a" || file.Guidelines[0].TenantID != "" {
		t.Errorf("%v %+v", problems, file)
	}
}
