package decide_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/evaluator"
	"guardrails/internal/fortests/golden"
)

// judgedWords lists the words that detect/toolcall/words takes for a deletion, a publication, a release or a grant.
// candidates lists words that could be in these lists, too.
const (
	judgedWords = "delete del destroy drop wipe erase purge terminate truncate obliterate nuke teardown undeploy unregister " +
		"deprovision decommission expunge flushall flushdb abandon strip dropdb dropall deleteall rmtree undefine " +
		"revoke rb reset rm remove flush evict rollback revert downgrade undo backwards publish unpublish yank upload push submit " +
		"distribute release deploy redeploy promote rollout grant createsuperuser elevate"
	candidates = "empty clear prune uninstall unset detach disable kill stop vacuum gc discard forget trash " +
		"cancel archive apply restore overwrite invite share assign approve set-role"
)

// TestCostOfEachWord measures what each word costs in questions and what it pays. A word of the lists costs a question
// for a harmless command that is stopped by its words, but not with a meaningless word in its place. Another word would
// cost a question for a harmless command that is not stopped, but that is stopped with "delete" in its place. A
// dangerous command pays for a word if it is stopped with "delete" in place of the word, but not with a meaningless
// word.
func TestCostOfEachWord(t *testing.T) {
	set := core(t)
	harmless, dangerous := everydayLines(t), linesOf(t, "dangerous*.json")
	same := func(s string) string { return s }
	var b strings.Builder
	for _, list := range []string{judgedWords, candidates} {
		fmt.Fprintf(&b, "%-16s %5s %5s\n", "word", "costs", "pays")
		for _, word := range strings.Fields(list) {
			pattern := regexp.MustCompile(`(^|[^A-Za-z./])` + regexp.QuoteMeta(word) + `($|[^A-Za-z./])`)
			put := func(text string) func(string) string {
				return func(command string) string { return pattern.ReplaceAllString(command, "${1}"+text+"${2}") }
			}
			with, without := same, put("zzz")
			if list == candidates {
				with, without = put("delete"), same
			}
			costs, example := byWord(set, filter(pattern, harmless), with, without)
			pays, _ := byWord(set, filter(pattern, dangerous), put("delete"), put("zzz"))
			line := fmt.Sprintf("%-16s %5d %5d  %s", word, costs, pays, example)
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		b.WriteByte('\n')
	}
	golden.Check(t, *update, "testdata/words.txt", b.String())
}

func filter(pattern *regexp.Regexp, commands []string) (out []string) {
	for _, command := range commands {
		if pattern.MatchString(command) {
			out = append(out, command)
		}
	}
	return out
}

// byWord returns how many commands are stopped by their words after one change, but not after another change. It also
// returns the beginning of the first of these commands.
func byWord(set *evaluator.Set, commands []string, with, without func(string) string) (count int, example string) {
	for _, command := range commands {
		d, stops := stopped(set, with(command))
		if _, anyway := stopped(set, without(command)); stops && !anyway && strings.Contains(d.Reason, "judging by the command's name") {
			if count++; count == 1 {
				example, _, _ = strings.Cut(command, "\n")
			}
		}
	}
	return count, example[:min(len(example), 70)]
}

// everydayLines returns the commands about which nobody wants to be asked.
func everydayLines(t *testing.T) []string {
	t.Helper()
	var days []struct {
		Command string
		Asked   bool
	}
	text, err := os.ReadFile("testdata/everyday_days.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &days); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range days {
		if !c.Asked {
			out = append(out, c.Command)
		}
	}
	return slices.Concat(out, linesOf(t, "everyday.json"), linesOf(t, "harmless*.json"))
}

func linesOf(t *testing.T, files string) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/" + files)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		for _, c := range readLabelled(t, filepath.Base(name)) {
			out = append(out, c.Command)
		}
	}
	return out
}
