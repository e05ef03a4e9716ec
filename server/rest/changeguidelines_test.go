package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestAChangeOfAnOutdatedVersionIsRefused(t *testing.T) {
	for _, c := range []struct{ name, method, path, body string }{
		{"update", http.MethodPut, "", `{"name":"x"%s}`},
		{"toggle", http.MethodPost, "/toggle", `{%s}`},
		{"restore", http.MethodPost, "/restore", `{"to_version":1%s}`},
		{"delete", http.MethodDelete, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			api.create("a", "")
			api.send(http.MethodPost, base+"/a/toggle", `{"version":1}`).is(200)
			path, body := base+"/a"+c.path, strings.Replace(strings.Replace(c.body, "%s", `,"version":1`, 1), "{,", "{", 1)
			bare := strings.Replace(c.body, "%s", "", 1)
			query := path
			if c.body == "" {
				query += "?version=1"
			}
			api.send(c.method, query, body).is(409).has("code", "conflict").has("current_version", "2")
			api.send(c.method, path, bare, `If-Match: "1"`).is(412).has("code", "precondition_failed").has("current_version",
				"2")
			for _, tag := range []string{`W/"2"`, `"x"`, `""`, `"02"`, `"-2"`} {
				api.send(c.method, path, bare, "If-Match: "+tag).is(412)
			}
			for _, tag := range []string{"2", "", `"2", "3"`, `"`, `"2`, `"2" ` + "\u00e4"} {
				api.send(c.method, path, bare, "If-Match: "+tag).is(400).has("errors.0.path", "If-Match")
			}
			api.send(c.method, query, body, `If-Match: "2"`).is(400).has("errors.0.path", "version")
			api.get(base+"/a").has("version", "2")
			api.send(c.method, path, bare, `If-Match: "2"`).is(200).has("version", "3")
		})
	}
}

func TestMistakesInTheBodyAreReportedBeforeAVersionThatDoesNotMatch(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	for _, tag := range []string{`W/"xq.2"`, `""`, `"99999999999999999999"`, `"2147483647"`, `"7"`} {
		match := "If-Match: " + tag
		api.send(http.MethodPost, base+"/a/toggle", `{"version":{}}`, match).is(400).has("errors.0.path", "version")
		api.send(http.MethodPost, base+"/a/restore", `{"to_version":"x"}`, match).is(400).has("errors.0.path", "to_version")
		api.send(http.MethodPut, base+"/a", `{"name":7}`, match).is(400).has("errors.0.path", "name")
		api.send(http.MethodDelete, base+"/a", "", match, "Idempotency-Key: x").is(400).has("errors.0.path", "Idempotency-Key")
		api.send(http.MethodPut, base+"/a", `{"name":"x"}`, match).is(412).has("current_version", "1")
		api.send(http.MethodPut, base+"/none", `{"name":"x"}`, match).is(404)
	}
}

func TestAnyVersionMustBeRequestedExplicitly(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.send(http.MethodPut, base+"/a", `{"name":"x"}`).is(400).has("errors.0.path", "version")
	api.send(http.MethodPut, base+"/a", `{"name":"x","version":null}`).is(400)
	api.send(http.MethodPut, base+"/a", `{"name":"x"}`, "If-Match: *").is(200).has("version", "2")
	api.send(http.MethodPost, base+"/a/restore", `{"to_version":1}`).is(400)
	api.send(http.MethodPost, base+"/a/restore", `{"to_version":1}`, "If-Match: *").is(200).has("version", "3")
	api.send(http.MethodPost, base+"/a/restore", `{"to_version":9,"version":3}`).is(404)
	api.send(http.MethodPost, base+"/a/toggle", `{}`).is(200).has("version", "4")
	api.send(http.MethodPost, base+"/a/toggle", `{"version":0}`).is(400)
	api.send(http.MethodPost, base+"/a/toggle", `{"vresion":4}`).is(400)
	api.send(http.MethodPut, base+"/none", `{"name":"x"}`, "If-Match: *").is(404)
	api.send(http.MethodPost, base+"/%01x/toggle", `{}`, `If-Match: "noversion"`).is(404)
}

func TestAnUpdateKeepsOtherFields(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"priority":700,"enabled":false,"condition":{"agents":["backend"],"events":["commit"]},"metadata":{"tags":["x"],"n":1.50}`)
	kept := api.send(http.MethodPut, base+"/a",
		`{"version":1,"id":"a","name":null,"description":"d","condition":{"agents":["frontend"]}}`).is(200)
	kept.has("name", "The a one").has("description", "d").has("priority", "700").has("enabled", "false")
	kept.has("condition.agents.0", "frontend").has("condition.events", "null")
	if !strings.Contains(kept.text, `"n":1.50`) {
		t.Errorf("a number was written differently: %s", kept.text)
	}
	whole := api.get(base + "/a").text
	api.send(http.MethodPut, base+"/a", whole).is(200).has("version", "2").has("created_at",
		kept.value("created_at")).has("updated_at", kept.value("updated_at"))
	api.get(base+"/a/history").has("total", "2")
	api.get(base+"/audit").has("total", "2")
	api.send(http.MethodPut, base+"/a", whole, `If-Match: "1"`).is(400)
	api.send(http.MethodPut, base+"/a", `{"description":"d"}`, `If-Match: "1"`).is(412)
}

func TestARepeatedChangeHappensOnce(t *testing.T) {
	api := newAPI(t)
	key := func(name string) string { return "Idempotency-Key: change-" + name }
	for range 2 {
		api.send(http.MethodPost, base, guideline("a", ""), key("create")).is(201).has("version", "1")
	}
	api.create("b", "")
	steps := []struct{ name, method, path, body, want string }{
		{"update", http.MethodPut, "/a", `{"name":"One","version":1}`, "2"},
		{"update-2", http.MethodPut, "/a", `{"description":"two","version":2}`, "3"},
		{"toggle", http.MethodPost, "/a/toggle", `{"version":3}`, "4"},
		{"delete", http.MethodDelete, "/a?version=4", "", "5"},
		{"restore", http.MethodPost, "/a/restore", `{"to_version":2,"version":5}`, "6"},
	}
	for i, c := range steps {
		first := api.send(c.method, base+c.path, c.body, key(c.name)).is(200).has("version", c.want)
		// Each earlier step is repeated with the same key. The answer must be the same as the first time, even if the
		// guideline has changed since.
		for _, again := range steps[:i+1] {
			api.send(again.method, base+again.path, again.body, key(again.name)).is(200).has("version", again.want)
		}
		if again := api.send(c.method, base+c.path, c.body,
			`Idempotency-Key: "change-`+c.name+`"`).is(200); again.text != first.text {
			t.Errorf("%s: %s, then %s", c.name, first.text, again.text)
		}
	}
	api.get(base+"/a/history").has("total", "6")
	api.send(http.MethodPut, base+"/a", `{"name":"Other","version":6}`, key("update")).is(400)
	api.send(http.MethodPut, base+"/a", `{"name":"Other","version":1}`, key("late")).is(409).has("current_version", "6")
	api.send(http.MethodPut, base+"/a", `{"name":"Other","version":9}`, key("early")).is(409)
	api.send(http.MethodPut, base+"/none", `{"name":"Other","version":1}`, key("none")).is(404)
	api.send(http.MethodPost, base+"/a/toggle", "", key("toggle-2")).is(400).has("errors.0.path", "version")
	for _, wrong := range []string{"a b", "", `""`, "short", `"change-1`, strings.Repeat("x", 65)} {
		api.send(http.MethodPost, base+"/a/toggle", `{"version":6}`, "Idempotency-Key: "+wrong).is(400).has("errors.0.path",
			"Idempotency-Key")
	}
}

func TestConcurrentTogglesAllCount(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	var toggles sync.WaitGroup
	for range 4 {
		toggles.Go(func() { api.send(http.MethodPost, base+"/a/toggle", "").is(200) })
	}
	toggles.Wait()
	api.get(base+"/a").has("version", "5").has("enabled", "true")
}

func TestIfNoneMatchAvoidsSendingAGuidelineAgain(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	for tag, want := range map[string]int{`"1"`: 304, `W/"1"`: 304, "*": 304, `"7", "1"`: 304, `"2"`: 200, "1": 200} {
		if r := api.send(http.MethodGet, base+"/a", "", "If-None-Match: "+tag).is(want); r.header.Get("ETag") != `"1"` ||
			want == 304 && r.text != "" {
			t.Errorf("%s: %v %s", tag, r.header, r.text)
		}
	}
	if r := api.send(http.MethodHead, base+"/a", ""); r.status != 200 || r.text != "" || r.header.Get("ETag") != `"1"` {
		t.Errorf("%+v", r)
	}
}

// Some paths have a fixed word, such as "export", where other paths have an id. An id that is equal to such a word
// is written with a tilde before it.
func TestAnIDCanBeAWordOfThePaths(t *testing.T) {
	api := newAPI(t)
	for i, id := range []string{"audit", "export", "stats", "events", "import", "evaluate", "explain"} {
		made := api.create(id, "")
		at := made.header.Get("Location")
		if at != base+"/~"+id {
			t.Errorf("%s is at %s", id, at)
		}
		api.get(at).has("id", id)
		api.get(at+"/history").has("total", "1")
		api.get(base+"/"+id+"/history").has("total", "1")
		api.send(http.MethodPut, at, `{"version":1,"priority":900}`).is(200)
		api.send(http.MethodPost, at+"/toggle", "").is(200)
		api.send(http.MethodDelete, at, "").is(200)
		api.get(base+"/audit?guideline_id="+id).has("total", "4")
		api.get(base+"/audit").has("total", fmt.Sprint(4*(i+1)))
	}
	api.create("plain", "")
	api.get(base+"/~plain").has("id", "plain")
}
