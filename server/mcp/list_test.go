package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/server/mcp"
)

// serverWith returns a server for a project with the given number of guidelines. Two of them have different priorities
// than the others.
func serverWith(t *testing.T, number int) *mcp.Server {
	t.Helper()
	root, env := project(t)
	var text strings.Builder
	for i := range number - 2 {
		fmt.Fprintf(&text, "- {id: g%03d, name: Number %d, category: custom, action: {type: instruction, instruction: Do it.}}\n", i, i)
	}
	check(t, os.WriteFile(filepath.Join(root, ".claude", "guardrails", "many.yaml"), []byte(text.String()), 0o644))
	return mcp.New(mcp.Options{Service: serviceAt(root, env)}).Strict()
}

func idsIn(value any) (ids []string) {
	list, _ := value.([]any)
	for _, one := range list {
		g, _ := one.(map[string]any)
		ids = append(ids, fmt.Sprint(g["id"]))
	}
	return ids
}

func TestAPageOfGuidelinesSaysHowManyThereAreAndHowToGetTheNext(t *testing.T) {
	s := serverWith(t, 250)
	for arguments, want := range map[string]int{`{}`: 50, `{"page_size": 200}`: 200, `{"page_size": 1}`: 1} {
		got := call(t, s, "guardrails_list", arguments)
		if ids := idsIn(field(got, "guidelines")); len(ids) != want || ids[0] != "backend-stays" {
			t.Errorf("%s: %d guidelines, want %d", arguments, len(ids), want)
		}
		notices := fmt.Sprint(field(got, "notices"))
		if field(got, "count") != 250.0 || field(got, "total") != 250.0 || field(got, "next_cursor") == nil ||
			!strings.Contains(notices, fmt.Sprintf("%d of 250 guidelines", want)) || !strings.Contains(notices, "next_cursor as cursor") {
			t.Errorf("%s: %v %v, %s", arguments, field(got, "count"), field(got, "total"), notices)
		}
	}
	whole := call(t, s, "guardrails_list", `{"category": "cognitive_isolation"}`)
	if field(whole, "count") != 1.0 || field(whole, "total") != 250.0 || field(whole, "next_cursor") != nil || field(whole, "notices") != nil {
		t.Errorf("%+v", whole)
	}
}

func TestPagesOfGuidelinesJoinToTheWholeList(t *testing.T) {
	s := serverWith(t, 250)
	var ids []string
	for page, cursor := 1, ""; page == 1 || cursor != ""; page++ {
		got := call(t, s, "guardrails_list", fmt.Sprintf(`{"page_size": 120%s}`, cursor))
		if field(got, "page") != float64(page) || field(got, "count") != 250.0 {
			t.Fatalf("page %d: %+v", page, got)
		}
		ids = append(ids, idsIn(field(got, "guidelines"))...)
		if cursor = ""; field(got, "next_cursor") != nil {
			cursor = fmt.Sprintf(`, "cursor": %q`, field(got, "next_cursor"))
		}
	}
	want := []string{"backend-stays"}
	for i := range 248 {
		want = append(want, fmt.Sprintf("g%03d", i))
	}
	if want = append(want, "gate-merge"); fmt.Sprint(ids) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	numbered := call(t, s, "guardrails_list", `{"page_size": 100, "page": 3}`)
	if got := idsIn(field(numbered, "guidelines")); fmt.Sprint(got) != fmt.Sprint(want[200:]) {
		t.Errorf("page 3: %v", got)
	}
}

func TestAWrongCursorOfAListIsAnErrorThatNamesIt(t *testing.T) {
	s := serverWith(t, 60)
	cursor := field(call(t, s, "guardrails_list", `{}`), "next_cursor")
	for arguments, want := range map[string]string{
		`{"cursor": "abc"}`: "the cursor is damaged",
		fmt.Sprintf(`{"text": "number", "cursor": %q}`, cursor):  "the cursor belongs to a list with other filters",
		fmt.Sprintf(`{"project_id": "p", "cursor": %q}`, cursor): "the cursor belongs to a list with other filters",
		fmt.Sprintf(`{"page": 2, "cursor": %q}`, cursor):         "use one of them",
		`{"page": 1000, "page_size": 200}`:                       "next_cursor",
		`{"page_size": 201}`:                                     "page_size: 201 is not a whole number between 1 and 200",
	} {
		if got := call(t, s, "guardrails_list", arguments); !got.IsError || !strings.Contains(got.Content[0].Text, want) {
			t.Errorf("%s: %+v, want %q", arguments, got, want)
		}
	}
}

func TestTheResourceOfTheGuidelinesIsBoundedAndNamesTheToolForTheRest(t *testing.T) {
	s := serverWith(t, 250)
	var got map[string]any
	check(t, json.Unmarshal([]byte(readResource(t, s, "guardrails://guidelines")), &got))
	if n := len(idsIn(got["guidelines"])); n != 200 || got["count"] != 250.0 ||
		!strings.Contains(fmt.Sprint(got["notices"]), "call guardrails_list") {
		t.Errorf("%d guidelines, %v, %v", n, got["count"], got["notices"])
	}
	rest := call(t, s, "guardrails_list", fmt.Sprintf(`{"cursor": %q}`, got["next_cursor"]))
	if n := len(idsIn(field(rest, "guidelines"))); n != 50 || field(rest, "next_cursor") != nil {
		t.Errorf("the rest has %d guidelines", n)
	}
}
