package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAGuidelineIsCreatedReadChangedAndDeleted(t *testing.T) {
	api := newAPI(t)
	made := api.create("a", `"priority":700,"condition":{"agents":["backend"]},"metadata":{"tags":["x"]}`)
	made.has("version", "1").has("created_by", "alice").has("enabled", "true")
	if made.header.Get("Location") != base+"/a" || made.header.Get("ETag") != `"1"` {
		t.Errorf("%v", made.header)
	}
	api.get(base+"/a").has("priority", "700").has("metadata.tags.0", "x").has("description", "")
	api.send(http.MethodPut, base+"/a", `{"version":1,"name":"Another"}`).is(200).has("name", "Another").has("priority",
		"700").has("version", "2")
	api.send(http.MethodPost, base+"/a/toggle", "").is(200).has("enabled", "false").has("version", "3")
	api.send(http.MethodDelete, base+"/a", "").is(200).has("success", "true").has("version", "4")
	api.send(http.MethodGet, base+"/a", "").is(404).has("code", "not_found")
	api.get(base+"/a/history").has("total", "4").has("revisions.0.deleted", "true").has("revisions.3.event_type",
		"guideline_created")
	api.send(http.MethodPost, base+"/a/restore", `{"to_version":1,"version":4}`).is(200).has("name",
		"The a one").has("version", "5").has("enabled", "true")
}

func TestTheListIsFilteredSortedAndPaged(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"priority":100,"category":"security","condition":{"agents":["backend"],"events":["commit"]}`)
	api.create("b", `"priority":900,"enabled":false,"condition":{"domains":["P01"],"actions":["design"]}`)
	api.create("c", `"description":"Payments are reviewed","metadata":{"tags":["money"]}`)
	for query, want := range map[string]string{
		"":                                    "b c a",
		"?category=security":                  "a",
		"?enabled=true":                       "c a",
		"?enabled=false":                      "b",
		"?agent=backend":                      "a",
		"?domain=P01":                         "b",
		"?action=design":                      "b",
		"?event=commit":                       "a",
		"?tag=money":                          "c",
		"?search=review+payments":             "c",
		"?search=" + strings.Repeat("ä", 200): "",
		"?sort=name":                          "a b c",
		"?sort=name&order=desc":               "c b a",
		"?sort=priority&order=asc":            "a c b",
		"?sort=updated":                       "c b a",
		"?page_size=2":                        "b c",
		"?page=2&page_size=2":                 "a",
		"?page=9":                             "",
		"?tenant_id=shop&category=custom":     "b c",
		"?category=custom&search=payments":    "c",
	} {
		if got := api.get(base+query).values("guidelines", "id"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	api.get(base+"?page=2&page_size=2").has("total", "3").has("page", "2").has("page_size", "2")
	api.get(base).has("page", "1").has("page_size", "20")
}
