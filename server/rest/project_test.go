package rest_test

import (
	"net/http"
	"testing"
)

const (
	inShop  = `"project_id":"example.com/acme/shop"`
	shopURL = "?project_id=example.com%2Facme%2Fshop"
)

func TestTwoProjectsUseTheSameID(t *testing.T) {
	api := newAPI(t)
	api.create("a", `"priority":1`)
	made := api.create("a", inShop+`,"priority":2`)
	made.has("project_id", "example.com/acme/shop").has("version", "1")
	if got := made.header.Get("Location"); got != base+"/a"+shopURL {
		t.Errorf("the guideline is at %s", got)
	}
	api.get(base+"/a").has("priority", "1")
	api.get(base+"/a"+shopURL).has("priority", "2")
	for query, want := range map[string]string{"": "2 1", shopURL: "2", "?project_id=": "1", "?project_id=other": ""} {
		if got := api.get(base+query).values("guidelines", "priority"); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	api.get(base+"/export"+shopURL).has("0.priority", "2")
}

func TestAChangeIsAboutTheNamedProject(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.create("a", inShop)
	api.send(http.MethodPut, base+"/a"+shopURL, `{"version":1,"priority":9}`).is(200).has("priority", "9").has("version", "2")
	api.send(http.MethodPut, base+"/a"+shopURL, `{"version":2,"priority":9}`).is(200).has("version", "2").has("unchanged", "true")
	api.send(http.MethodPut, base+"/a"+shopURL, `{"version":2,"project_id":"example.com/acme/shop"}`).is(200).has("version", "2")
	api.send(http.MethodPut, base+"/a", `{"version":1,`+inShop+`}`).is(400).has("errors.0.path", "project_id")
	api.send(http.MethodPost, base+"/a/toggle"+shopURL, "").is(200).has("enabled", "false").has("version", "3")
	api.send(http.MethodDelete, base+"/a"+shopURL, "").is(200).has("version", "4")
	api.send(http.MethodPost, base+"/a/restore"+shopURL, `{"to_version":1,"version":4}`).is(200).has("version", "5")
	api.get(base+"/a/history"+shopURL).has("total", "5")
	api.get(base+"/a").has("version", "1").has("enabled", "true")
	api.get(base+"/a/history").has("total", "1")
	api.send(http.MethodGet, base+"/a?project_id=other", "").is(404).has("detail",
		"the guideline a does not belong to the project other, but to all projects and the project example.com/acme/shop; name the guideline's project in project_id, or leave this parameter out for all projects")
}

func TestAnImportNamesTheProjectOfEachGuideline(t *testing.T) {
	api := newAPI(t)
	one := `{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}`
	api.send(http.MethodPost, base+"/import", `[`+one+`},`+one+`,`+inShop+`}]`).is(200).has("created", "2").
		has("items.1.project_id", "example.com/acme/shop")
	api.get(base+"/a"+shopURL).has("id", "a")
}

func TestATaskNamesItsProject(t *testing.T) {
	api := newAPI(t)
	api.create("all", "")
	api.create("shops", inShop)
	for body, want := range map[string]string{
		`{}`:               "all",
		`{` + inShop + `}`: "all shops",
	} {
		if got := api.send(http.MethodPost, base+"/evaluate", body).is(200).values("matching_guidelines", "id"); got != want {
			t.Errorf("%s: %s apply, want %s", body, got, want)
		}
	}
}
