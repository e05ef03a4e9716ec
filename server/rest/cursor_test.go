package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestListsAreReadWithCursors(t *testing.T) {
	api := newAPI(t)
	for _, id := range []string{"a", "b", "c"} {
		api.create(id, "")
	}
	api.send(http.MethodPut, base+"/a", `{"version":1,"priority":501}`).is(200)
	api.send(http.MethodPut, base+"/a", `{"version":2,"priority":502}`).is(200)
	for _, name := range []string{"red", "blue", "green"} {
		api.send(http.MethodPost, base+"/tokens", `{"name":"`+name+`","role":"read"}`).is(201)
	}
	for list, c := range map[string]struct{ items, field, want string }{
		base + "/tokens?":                                  {"tokens", "name", "blue green red"},
		base + "?sort=name&":                               {"guidelines", "id", "a b c"},
		base + "/a/history?":                               {"revisions", "version", "3 2 1"},
		base + "/audit?":                                   {"entries", "guideline_id", "a a c b a"},
		base + "/audit?event_type=guideline_created&":      {"entries", "guideline_id", "c b a"},
		base + "/audit?guideline_id=a&date_to=2026-03-01&": {"entries", "guideline_version", "3 2 1"},
	} {
		var got []string
		cursor, page := "", 0
		for more := true; more; more = cursor != "" {
			page++
			answer := api.get(list+"page_size=1"+cursor).is(200).has("page", fmt.Sprint(page))
			got = append(got, answer.values(c.items, c.field))
			if cursor = ""; strings.Contains(answer.text, "next_cursor") {
				cursor = "&cursor=" + url.QueryEscape(answer.value("next_cursor"))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", list, got, c.want)
		}
	}
}

func TestACursorWithOtherFiltersIsRefused(t *testing.T) {
	api := newAPI(t)
	api.create("a", "")
	api.create("b", "")
	api.addDecision("d1", "no", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	cursor := "cursor=" + api.get(base+"/audit?page_size=1").value("next_cursor")
	for query, want := range map[string]string{
		"actor=alice&" + cursor: "other filters or another order",
		cursor + "x":            "is damaged",
		"page=2&" + cursor:      "together with a cursor",
		"page=1000":             "next_cursor",
	} {
		if answer := api.send(http.MethodGet, base+"/audit?"+query, "").is(400); !strings.Contains(answer.text, want) {
			t.Errorf("%s: %s, want %q", query, answer.text, want)
		}
	}
	api.send(http.MethodGet, base+"?"+cursor, "").is(400)
	api.get(base+"/audit?page_size=2&"+cursor).has("page", "2").has("total", "3")
}
