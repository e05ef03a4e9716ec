package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

func TestListsAreReadWithCursorsOnTheCommandLine(t *testing.T) {
	s := clitest.New(t, map[string]string{"two.yaml": `guidelines:
  - {id: one, name: One, category: custom, action: {type: instruction}}
  - {id: two, name: Two, category: custom, action: {type: instruction}}
`})
	run := func(line string) string {
		t.Helper()
		out, stderr, code := s.Run("HOME=$PROJECT/home guardrails " + line)
		if code != app.OK {
			t.Fatalf("%s: exit %d, %s", line, code, stderr)
		}
		return out
	}
	run("apply -f two.yaml")
	for _, state := range []string{"off", "on"} {
		run("toggle one " + state)
	}
	for _, list := range []string{"list", "list --store", "audit list", "history one"} {
		cursor, pages := "", 0
		for more := true; more && pages < 3; more = cursor != "" {
			var answer struct {
				Page int    `json:"page"`
				Next string `json:"next_cursor"`
			}
			if err := json.Unmarshal([]byte(run(list+" --page-size 1 -o json"+cursor)), &answer); err != nil {
				t.Fatal(err)
			}
			if pages++; answer.Page != pages {
				t.Errorf("%s: got page %d, want %d", list, answer.Page, pages)
			}
			if cursor = ""; answer.Next != "" {
				cursor = " --cursor " + answer.Next
			}
		}
		if pages < 2 {
			t.Errorf("%s has %d pages", list, pages)
		}
		for flags, want := range map[string]string{
			" --cursor abc": "is damaged",
			" --page 501":   "next_cursor",
		} {
			if _, stderr, code := s.Run("HOME=$PROJECT/home guardrails " + list + flags); code == app.OK || !strings.Contains(stderr, want) {
				t.Errorf("%s%s: exit %d, %s", list, flags, code, stderr)
			}
		}
	}
}

func TestTheListOfGuidelinesInForceHasCursorsInEveryOrder(t *testing.T) {
	s := clitest.New(t, map[string]string{".claude/guardrails/some.yaml": `guidelines:
  - {id: one, name: Cherry, category: custom, priority: 3, action: {type: instruction}}
  - {id: two, name: apple, category: custom, priority: 2, action: {type: instruction}}
  - {id: three, name: Cherry, category: security, priority: 2, action: {type: instruction}}
  - {id: four, name: Bean, category: security, priority: 3, action: {type: instruction}}
`, ".claude/guardrails.yaml": "packs: []\n"})
	page := func(flags string) (ids []string, next string) {
		t.Helper()
		var answer struct {
			Guidelines []struct{ ID string }
			Total      int
			Next       string `json:"next_cursor"`
		}
		if err := json.Unmarshal([]byte(s.Must("guardrails list -o json"+flags)), &answer); err != nil || answer.Total != 4 {
			t.Fatal(answer, err)
		}
		for _, g := range answer.Guidelines {
			ids = append(ids, g.ID)
		}
		return ids, answer.Next
	}
	for _, sort := range []string{"priority", "name", "category", "updated"} {
		for _, order := range []string{"asc", "desc"} {
			flags := " --sort " + sort + " --order " + order
			want, _ := page(flags)
			var got []string
			for cursor := ""; ; {
				ids, next := page(flags + " --page-size 1" + cursor)
				if got = append(got, ids...); next == "" {
					break
				}
				cursor = " --cursor " + next
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", flags, got, want)
			}
		}
	}
	_, next := page(" --page-size 1")
	_, stderr, code := s.Run("guardrails list --page-size 1 --search cherry --cursor " + next)
	if code == app.OK || !strings.Contains(stderr, "the cursor belongs to a list with other filters") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// The tests in server/lists_test.go read all pages of each of these lists.
func TestTheTestsOfListsKnowEachListOfTheCommandLine(t *testing.T) {
	var got []string
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Flags().Lookup("cursor") != nil {
			got = append(got, c.CommandPath())
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(cli.NewRoot())
	slices.Sort(got)
	want := []string{"guardrails audit list", "guardrails history", "guardrails list", "guardrails webhooks deliveries"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
