package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestAChangeOfWhatSomebodyElseChangedIsRefused(t *testing.T) {
	for _, c := range []struct{ name, method, path, body string }{
		{"update", http.MethodPut, "", `{"name":"x"%s}`},
		{"toggle", http.MethodPost, "/toggle", `{%s}`},
		{"restore", http.MethodPost, "/restore", `{"to_version":1%s}`},
		{"delete", http.MethodDelete, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDoor(t)
			d.make("a", "")
			d.send(http.MethodPost, base+"/a/toggle", `{"version":1}`).is(200)
			path, body := base+"/a"+c.path, strings.Replace(strings.Replace(c.body, "%s", `,"version":1`, 1), "{,", "{", 1)
			bare := strings.Replace(c.body, "%s", "", 1)
			query := path
			if c.body == "" {
				query += "?version=1"
			}
			d.send(c.method, query, body).is(409).has("code", "conflict").has("current_version", "2")
			d.send(c.method, path, bare, `If-Match: "1"`).is(412).has("code", "precondition_failed").has("current_version", "2")
			for _, tag := range []string{`W/"2"`, `"x"`, `""`, `"02"`, `"-2"`} {
				d.send(c.method, path, bare, "If-Match: "+tag).is(412)
			}
			for _, tag := range []string{"2", "", `"2", "3"`, `"`, `"2`, `"2" ` + "\u00e4"} {
				d.send(c.method, path, bare, "If-Match: "+tag).is(400).has("errors.0.path", "If-Match")
			}
			d.send(c.method, query, body, `If-Match: "2"`).is(400).has("errors.0.path", "version")
			d.get(base+"/a").has("version", "2")
			d.send(c.method, path, bare, `If-Match: "2"`).is(200).has("version", "3")
		})
	}
}

func TestWhoWantsWhateverVersionThereIsSaysSo(t *testing.T) {
	d := newDoor(t)
	d.make("a", "")
	d.send(http.MethodPut, base+"/a", `{"name":"x"}`).is(400).has("errors.0.path", "version")
	d.send(http.MethodPut, base+"/a", `{"name":"x","version":null}`).is(400)
	d.send(http.MethodPut, base+"/a", `{"name":"x"}`, "If-Match: *").is(200).has("version", "2")
	d.send(http.MethodPost, base+"/a/restore", `{"to_version":1}`).is(400)
	d.send(http.MethodPost, base+"/a/restore", `{"to_version":1}`, "If-Match: *").is(200).has("version", "3")
	d.send(http.MethodPost, base+"/a/restore", `{"to_version":9,"version":3}`).is(404)
	d.send(http.MethodPost, base+"/a/toggle", `{}`).is(200).has("version", "4")
	d.send(http.MethodPost, base+"/a/toggle", `{"version":0}`).is(400)
	d.send(http.MethodPost, base+"/a/toggle", `{"vresion":4}`).is(400)
	d.send(http.MethodPut, base+"/none", `{"name":"x"}`, "If-Match: *").is(404)
}

func TestAnUpdateLeavesWhatItDoesNotName(t *testing.T) {
	d := newDoor(t)
	d.make("a", `"priority":700,"enabled":false,"condition":{"agents":["backend"],"events":["commit"]},"metadata":{"tags":["x"],"n":1.50}`)
	kept := d.send(http.MethodPut, base+"/a", `{"version":1,"id":"a","name":null,"description":"d","condition":{"agents":["frontend"]}}`).is(200)
	kept.has("name", "The a one").has("description", "d").has("priority", "700").has("enabled", "false")
	kept.has("condition.agents.0", "frontend").has("condition.events", "null")
	if !strings.Contains(kept.text, `"n":1.50`) {
		t.Errorf("a number is written otherwise: %s", kept.text)
	}
	whole := d.get(base + "/a").text
	d.send(http.MethodPut, base+"/a", whole).is(200).has("version", "2").has("created_at", kept.at("created_at")).has("updated_at", kept.at("updated_at"))
	d.get(base+"/a/history").has("total", "2")
	d.get(base+"/audit").has("total", "2")
	d.send(http.MethodPut, base+"/a", whole, `If-Match: "1"`).is(400)
	d.send(http.MethodPut, base+"/a", `{"description":"d"}`, `If-Match: "1"`).is(412)
}

func TestARepeatedChangeHappensOnce(t *testing.T) {
	d := newDoor(t)
	key := func(name string) string { return "Idempotency-Key: change-" + name }
	for range 2 {
		d.send(http.MethodPost, base, guideline("a", ""), key("create")).is(201).has("version", "1")
	}
	d.make("b", "")
	steps := []struct{ name, method, path, body, want string }{
		{"update", http.MethodPut, "/a", `{"name":"One","version":1}`, "2"},
		{"update-2", http.MethodPut, "/a", `{"description":"two","version":2}`, "3"},
		{"toggle", http.MethodPost, "/a/toggle", `{"version":3}`, "4"},
		{"delete", http.MethodDelete, "/a?version=4", "", "5"},
		{"restore", http.MethodPost, "/a/restore", `{"to_version":2,"version":5}`, "6"},
	}
	for i, c := range steps {
		first := d.send(c.method, base+c.path, c.body, key(c.name)).is(200).has("version", c.want)
		// Whatever happened since, each step gives its first answer again.
		for _, again := range steps[:i+1] {
			d.send(again.method, base+again.path, again.body, key(again.name)).is(200).has("version", again.want)
		}
		if again := d.send(c.method, base+c.path, c.body, `Idempotency-Key: "change-`+c.name+`"`).is(200); again.text != first.text {
			t.Errorf("%s: %s, then %s", c.name, first.text, again.text)
		}
	}
	d.get(base+"/a/history").has("total", "6")
	d.send(http.MethodPut, base+"/a", `{"name":"Other","version":6}`, key("update")).is(400)
	d.send(http.MethodPut, base+"/a", `{"name":"Other","version":1}`, key("late")).is(409).has("current_version", "6")
	d.send(http.MethodPut, base+"/a", `{"name":"Other","version":9}`, key("early")).is(409)
	d.send(http.MethodPut, base+"/none", `{"name":"Other","version":1}`, key("none")).is(404)
	d.send(http.MethodPost, base+"/a/toggle", "", key("toggle-2")).is(400).has("errors.0.path", "version")
	for _, wrong := range []string{"a b", "", `""`, "short", `"change-1`, strings.Repeat("x", 65)} {
		d.send(http.MethodPost, base+"/a/toggle", `{"version":6}`, "Idempotency-Key: "+wrong).is(400).has("errors.0.path", "Idempotency-Key")
	}
}

func TestTogglesOfManyAllCount(t *testing.T) {
	d := newDoor(t)
	d.make("a", "")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { d.send(http.MethodPost, base+"/a/toggle", "").is(200) })
	}
	all.Wait()
	d.get(base+"/a").has("version", "5").has("enabled", "true")
}

func TestWhoHasAGuidelineIsNotSentItAgain(t *testing.T) {
	d := newDoor(t)
	d.make("a", "")
	for tag, want := range map[string]int{`"1"`: 304, `W/"1"`: 304, "*": 304, `"7", "1"`: 304, `"2"`: 200, "1": 200} {
		if r := d.send(http.MethodGet, base+"/a", "", "If-None-Match: "+tag).is(want); r.header.Get("ETag") != `"1"` || want == 304 && r.text != "" {
			t.Errorf("%s: %v %s", tag, r.header, r.text)
		}
	}
	if r := d.send(http.MethodHead, base+"/a", ""); r.status != 200 || r.text != "" || r.header.Get("ETag") != `"1"` {
		t.Errorf("%+v", r)
	}
}

// Ids that are words of the paths as well are reached with a tilde.
func TestAnIdMayBeAWordOfThePaths(t *testing.T) {
	d := newDoor(t)
	for i, id := range []string{"audit", "export", "stats", "events", "import", "evaluate", "explain"} {
		made := d.make(id, "")
		at := made.header.Get("Location")
		if at != base+"/~"+id {
			t.Errorf("%s is at %s", id, at)
		}
		d.get(at).has("id", id)
		d.get(at+"/history").has("total", "1")
		d.get(base+"/"+id+"/history").has("total", "1")
		d.send(http.MethodPut, at, `{"version":1,"priority":900}`).is(200)
		d.send(http.MethodPost, at+"/toggle", "").is(200)
		d.send(http.MethodDelete, at, "").is(200)
		d.get(base+"/audit?guideline_id="+id).has("total", "4")
		d.get(base+"/audit").has("total", fmt.Sprint(4*(i+1)))
	}
	d.make("plain", "")
	d.get(base+"/~plain").has("id", "plain")
}
