package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

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
	for _, list := range []string{"list --store", "audit list", "history one"} {
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
	if _, stderr, code := s.Run("HOME=$PROJECT/home guardrails list --cursor abc"); code == app.OK || !strings.Contains(stderr, "needs --store") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
