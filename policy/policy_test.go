package policy_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/fortests/detectorcases"
	"guardrails/policy"
	"guardrails/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func tree(t testing.TB, value any) *document.Node {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	n, problems := document.ParseJSON("", text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return n
}

func decoded(t testing.TB, value any) *policy.Set {
	t.Helper()
	set, problems := policy.DecodeRules("rules", tree(t, value), 0)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

func TestRulesAnswerAsTheContractSays(t *testing.T) {
	for _, c := range detectorcases.Load(t, "../detect/testdata/detectors.json").Policies {
		t.Run(c.ID+" "+c.About, func(t *testing.T) { check(t, &c) })
	}
}

func check(t *testing.T, c *detectorcases.Policy) {
	t.Helper()
	facts, problems := policy.DecodeFacts("", tree(t, c.Facts), "facts")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var memory policy.Cooldowns
	answer, err := json.Marshal(decoded(t, c.Rules).Run(facts, memory.Sender("", "", time.Unix(0, 0), false)))
	if err != nil {
		t.Fatal(err)
	}
	detectorcases.Check(t, c.ID, c.Expect, answer)
}

// These cases have the same form as the cases in detect/testdata/detectors.json.
func TestRulesAnswer(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []detectorcases.Policy
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.About, func(t *testing.T) { check(t, &c) })
	}
}

func TestCooldownsAnswerAsTheContractSays(t *testing.T) {
	for _, c := range detectorcases.Load(t, "../detect/testdata/detectors.json").Cooldowns {
		set := decoded(t, []any{c.Rule})
		var memory policy.Cooldowns
		for _, step := range c.Steps {
			at := time.Unix(0, 0).Add(time.Duration(step.At * float64(time.Second)))
			got := set.Run(&policy.Facts{}, memory.Sender("t", "u", at, false))
			if strings.Join(got.Events, " ") != strings.Join(step.Events, " ") ||
				strings.Join(got.Suppressed, " ") != strings.Join(step.Suppressed, " ") {
				t.Errorf("%s, %v s (%s): sent %v, suppressed %v", c.ID, step.At, step.About, got.Events, got.Suppressed)
			}
		}
	}
}

// TestCooldownsKeepAllEventsThatMatter notes events as a server does at its start. There are so many events that old
// ones would be forgotten. But no event is older than the longest cooldown, so all events must be kept.
func TestCooldownsKeepAllEventsThatMatter(t *testing.T) {
	const many = 25000
	user := func(i int) string { return "u" + strconv.Itoa(i) }
	var memory policy.Cooldowns
	memory.Expect(30 * 24 * time.Hour)
	now := time.Unix(10_000_000, 0)
	for i := range many {
		memory.Note("t", "rule", "a.b", user(i), now.Add(-time.Duration(many-i)*time.Minute))
	}
	for i := range many {
		if memory.Sender("t", user(i), now, true)("rule", "a.b", 30*24*time.Hour) {
			t.Fatalf("the event of user %d is sent again within its cooldown", i)
		}
	}
}

// TestCooldownsForgetTheOldestEventsIfThereAreTooMany sends the same event about very many users within one cooldown.
func TestCooldownsForgetTheOldestEventsIfThereAreTooMany(t *testing.T) {
	const many = 500_000
	var memory policy.Cooldowns
	begin := time.Unix(10_000_000, 0)
	at := func(i int) time.Time { return begin.Add(time.Duration(i) * time.Millisecond) }
	isSent := func(i int, dry bool) bool {
		now := at(i)
		if dry {
			now = at(many)
		}
		return memory.Sender("t", strconv.Itoa(i), now, dry)("rule", "a.b", 30*24*time.Hour)
	}
	for i := range many {
		if !isSent(i, false) {
			t.Fatalf("the first event of user %d is suppressed", i)
		}
	}
	if !isSent(0, true) || isSent(many-1, true) || isSent(many-150_000, true) {
		t.Error("either nothing is forgotten, or newer events are")
	}
}

func TestCooldownsCountForEachTenantRuleEventAndUser(t *testing.T) {
	var memory policy.Cooldowns
	now := time.Unix(1000, 0)
	memory.Note("t", "rule", "a.b", "u", now)
	memory.Note("t", "rule", "a.b", "u", now.Add(-time.Hour))
	send := func(tenant, rule, event, user string) bool {
		return memory.Sender(tenant, user, now.Add(time.Minute), true)(rule, event, time.Hour)
	}
	if send("t", "rule", "a.b", "u") {
		t.Error("an event is sent again within its cooldown")
	}
	for _, other := range [][4]string{
		{"x", "rule", "a.b", "u"}, {"t", "x", "a.b", "u"}, {"t", "rule", "x.b", "u"}, {"t", "rule", "a.b", "x"},
	} {
		if !send(other[0], other[1], other[2], other[3]) {
			t.Errorf("%v shares a cooldown with another", other)
		}
	}
}

func TestADryRunCountsNothing(t *testing.T) {
	var memory policy.Cooldowns
	now := time.Unix(1000, 0)
	for range 2 {
		if !memory.Sender("t", "u", now, true)("rule", "a.b", time.Hour) {
			t.Error("the first dry run is counted")
		}
	}
}

func TestAClockThatWasSetBackSuppressesNothing(t *testing.T) {
	var memory policy.Cooldowns
	memory.Note("t", "rule", "a.b", "u", time.Unix(5000, 0))
	if !memory.Sender("t", "u", time.Unix(1000, 0), false)("rule", "a.b", time.Hour) {
		t.Error("the event is suppressed")
	}
}

// Each policy file testdata/bad/*.yaml is wrong. The file with the same name and the extension .txt has the problems
// that are reported.
func TestWrongFilesAreReportedWithEveryMistakeAndItsPlace(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set, problems := policy.Parse(filepath.Base(file), text, rules.ParseYAML)
		if set != nil || len(problems) == 0 {
			t.Errorf("%s has no problem", file)
		}
		got := problems.Error() + "\n"
		golden := strings.TrimSuffix(file, ".yaml") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, _ := os.ReadFile(golden); string(want) != got {
			t.Errorf("%s: the problems are\n%s\nwant\n%s", file, got, want)
		}
	}
}

func TestRegularExpressionsOfCallersAreLimitedTogether(t *testing.T) {
	rule := func(name, pattern string) map[string]any {
		return map[string]any{
			"name": name, "when": map[string]any{"message_matches": pattern}, "actions": []any{map[string]any{"type": "stop"}},
		}
	}
	large := "(?:" + strings.Repeat("[a-c]", 60) + "){1000}"
	for name, c := range map[string]struct {
		patterns []string
		fits     bool
	}{
		"usual ones":         {[]string{"my (ssn|card)", "^hello .{1,20}$", `\b\d{16}\b`}, true},
		"a large one":        {[]string{large}, true},
		"two large ones":     {[]string{large, large}, false},
		"one in another one": {[]string{"((((a{10}){10}b){10}" + strings.Repeat("c", 200) + "))", "((a+){50}[x-z]{50}){10}"}, true},
		"many repetitions":   {[]string{large, "(.{30}x|y){20}", "(?:" + strings.Repeat("a", 45) + "){900}"}, false},
	} {
		var list []any
		for i, pattern := range c.patterns {
			list = append(list, rule("r"+strconv.Itoa(i), pattern))
		}
		_, problems := policy.DecodeRules("", tree(t, list), policy.TrialLimit)
		if (len(problems) == 0) != c.fits || !c.fits && !strings.Contains(problems.Error(), "makes the regular expressions too large") {
			t.Errorf("%s: %v", name, problems)
		}
		if _, problems := policy.DecodeRules("", tree(t, list), 0); len(problems) > 0 {
			t.Errorf("%s, from a file: %v", name, problems)
		}
	}
}

func TestTheWorkOfATrialThatACallerSendsIsLimited(t *testing.T) {
	for name, c := range map[string]struct {
		pattern string
		length  int
		fits    bool
	}{
		"an ordinary rule and the longest message": {`my (ssn|card) is \d{3}`, 32768, true},
		"a large pattern and a short message":      {"(a*a*a*){1000}b$", 2000, true},
		"a large pattern and the longest message":  {"(a*a*a*){1000}b$", 32768, false},
		"a large pattern and a long message":       {"(a*a*a*){1000}b$", 4000, false},
	} {
		trial := map[string]any{
			"facts": map[string]any{"message": strings.Repeat("a", c.length)},
			"rules": []any{map[string]any{
				"name": "r", "when": map[string]any{"message_matches": c.pattern}, "actions": []any{map[string]any{"type": "stop"}},
			}},
		}
		_, _, problems := policy.DecodeTrial("", tree(t, trial), policy.TrialLimit)
		if (len(problems) == 0) != c.fits || !c.fits && !strings.Contains(problems.Error(), "too long for these regular expressions") {
			t.Errorf("%s: %v", name, problems)
		}
		if _, _, problems := policy.DecodeTrial("", tree(t, trial), 0); len(problems) > 0 {
			t.Errorf("%s, on this computer: %v", name, problems)
		}
	}
}

func TestWrongTrialsAreReportedWithEveryMistakeAndItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `f: is empty; write the field "facts"`,
		"# only a comment\n":   `f: is empty; write the field "facts"`,
		"rules: []\n":          "f:1: facts: is missing; add it",
		"facts: {}\n---\nx: 1": `f: has 2 documents; write one, with the field "facts"`,
		"facts: {mood: 1e400}": `f:1: facts.mood: "1e400" is not a number that can be compared; write a decimal number`,
		"facts:\n  mood: 1\n  mood: 2\n  trust: high\n  stage: middle\nrules:\n  " +
			"- {name: a, actions: []}\n": `f:3: duplicate key "mood"; keep one of the two
f:4: facts.trust: is a string where a number is expected; write a number
f:5: facts.stage: "middle" is not accepted; use one of input, output
f:7: rules[0].actions: has 0 items; write 1 to 10`,
	} {
		if _, _, problems := policy.ParseTrial("f", []byte(text), rules.ParseYAML); problems.Error() != want {
			t.Errorf("%q:\ngot\n%s\nwant\n%s", text, problems.Error(), want)
		}
	}
}

// The file testdata/names.yaml can be used, but some of its conditions are never true.
func TestLintReportsNamesThatTheGateNeverUses(t *testing.T) {
	text, err := os.ReadFile("testdata/names.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if set, problems := policy.Parse("names.yaml", text, rules.ParseYAML); set.Rules() != 2 || len(problems) > 0 {
		t.Fatalf("the file cannot be used: %v", problems)
	}
	set, problems := policy.Lint("names.yaml", text, rules.ParseYAML, &policy.Names{
		Flags: []string{"self_harm", "violence"}, Gates: []string{"InputCheck", "SocialRisk"}, PII: []string{"email", "ssn"},
	}, 0)
	const want = `names.yaml:5: rules[0].when.flag: "self-harm" is never found, so this condition is never true; did you mean "self_harm"?
names.yaml:6: rules[0].when.gate[0]: "Inputcheck" is never found, so this condition is never true; did you mean "InputCheck"?
names.yaml:7: rules[0].when.pii: "mail_address" is never found, so this condition is never true; use one of email, ssn`
	if got := problems.Error(); got != want || set.Rules() != 2 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestATraceTellsEveryCondition(t *testing.T) {
	set := decoded(t, []any{map[string]any{
		"name": "a", "when": map[string]any{"any": []any{
			map[string]any{"mood": "< 0.3"}, map[string]any{"message_contains": "x", "not": map[string]any{"tag": "t"}},
		}}, "actions": []any{map[string]any{"type": "stop"}},
	}})
	text := "x"
	var memory policy.Cooldowns
	got, err := json.Marshal(set.Trace(&policy.Facts{Message: &text}, memory.Sender("", "", time.Time{}, true)).Trace)
	want := `[{"rule":"a","value":"true","conditions":[{"path":"when.any","value":"true"},{"path":"when.any[0].mood","value":"unknown"},` +
		`{"path":"when.any[1]","value":"true"},{"path":"when.any[1].message_contains","value":"true"},` +
		`{"path":"when.any[1].not","value":"true"},` +
		`{"path":"when.any[1].not.tag","value":"false"}]}]`
	if err != nil || string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.yaml", "testdata/good/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, _ := os.ReadFile(file)
			f.Add(text, "a message with my SSN")
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, message string) {
		set, problems := policy.Parse("fuzz.yaml", text, rules.ParseYAML)
		if (set == nil) != (len(problems) > 0) {
			t.Fatal("a file has no rules and no problem, or both")
		}
		var memory policy.Cooldowns
		facts := &policy.Facts{Message: &message, Flags: []string{"sexual_minors"}, Decision: policy.Block}
		plain := set.Run(facts, memory.Sender("", "", time.Time{}, true))
		traced := set.Trace(facts, memory.Sender("", "", time.Time{}, true))
		a, _ := json.Marshal(plain)
		b, _ := json.Marshal(traced.Result)
		if string(a) != string(b) {
			t.Errorf("the run gives %s, the trace %s", a, b)
		}
		if plain.Action != policy.Block {
			t.Errorf("rules loosened a verdict about minors to %s", plain.Action)
		}
	})
}

// BenchmarkPolicies applies 500 rules to a message of 2 KiB. Four of every five rules look for words. The other rules
// compare facts.
func BenchmarkPolicies(b *testing.B) {
	var list []any
	for i := range 500 {
		when := map[string]any{"message_contains": []string{"my number " + strings.Repeat("x", i%7), "account " + strings.Repeat("y", i%5)}}
		if i%5 == 4 {
			when = map[string]any{"risk_score": ">= 0.5", "flag": "violence"}
		}
		list = append(list, map[string]any{
			"name": "rule-" + strconv.Itoa(i), "when": when, "actions": []any{map[string]any{"type": "annotate", "tag": "t"}},
		})
	}
	set := decoded(b, list)
	text := strings.Repeat("Please look at the invoice of May, and tell me what is open. ", 34)
	score := 0.2
	facts := &policy.Facts{Message: &text, RiskScore: &score, Flags: []string{"illegal"}, Decision: policy.Proceed}
	var memory policy.Cooldowns
	send := memory.Sender("", "", time.Time{}, true)
	b.ResetTimer()
	for b.Loop() {
		set.Run(facts, send)
	}
}
