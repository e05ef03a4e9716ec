package decide_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/fortests/golden"
)

// everydayShare is the largest percentage of the everyday commands that the core pack is allowed to stop.
const everydayShare = 6

// TestEverydayCommandsAreSeldomStopped judges everyday commands by the core pack. The golden file lists the commands
// that each guideline stops. The commands come from CI files, Makefiles, package.json files and documentation of public
// projects.
func TestEverydayCommandsAreSeldomStopped(t *testing.T) {
	set, list := core(t), readLabelled(t, "everyday.json")
	by := map[string][]string{}
	count := 0
	for _, c := range list {
		if d, ok := stopped(set, c.Command); ok {
			by[d.Guideline()] = append(by[d.Guideline()], strings.ReplaceAll(c.Command, "\n", "⏎"))
			count++
		}
	}
	golden.Check(t, *update, "testdata/everyday.txt", everydayPage(by, count, len(list)))
	if count*100 > everydayShare*len(list) {
		t.Errorf("%d of %d everyday commands are stopped; at most %d %% may be", count, len(list), everydayShare)
	}
}

// everydayPage returns the golden file: how many commands each guideline stops, and then these commands.
func everydayPage(by map[string][]string, count, all int) string {
	var names []string
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d\n", count, all)
	for _, name := range names {
		fmt.Fprintf(&b, "%4d %s\n", len(by[name]), name)
	}
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s\n", name)
		for _, command := range by[name] {
			fmt.Fprintf(&b, "\t%s\n", command)
		}
	}
	return b.String()
}

// TestADayOfWorkIsAskedAboutOnlyWhereAPersonWantsIt judges everyday commands by the core pack. The field Asked says
// whether a person wants to be asked about a command. If the field From is "borderline", the command was chosen because
// it is hard to decide about it.
func TestADayOfWorkIsAskedAboutOnlyWhereAPersonWantsIt(t *testing.T) {
	var list []struct {
		Command, From string
		Asked         bool
	}
	text, err := os.ReadFile("testdata/everyday_days.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	set := core(t)
	for _, c := range list {
		if d, ok := stopped(set, c.Command); ok != c.Asked {
			t.Errorf("%s: stopped is %v, want %v: %s\n\t%s", c.From, ok, c.Asked, c.Command, d.Reason)
		}
	}
}
