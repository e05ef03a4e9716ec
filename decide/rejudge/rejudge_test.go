package rejudge_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

func same(text string) string { return text }

// watched() returns a copy of f. When one of the functions in the copy is called, n records which fact was requested.
func watched(n *rejudge.Noted, f decide.Facts) decide.Facts {
	n.Watch(&f)
	return f
}

func noted() *rejudge.Noted {
	first := &guideline.Context{
		Agent: "backend", Domain: "api", Action: "implement", Metadata: map[string]any{"environment": "container"},
	}
	return &rejudge.Noted{Layers: []*guideline.Context{first, {}}}
}

// full() returns a call in which no field that Judge needs is empty.
func full() *effect.Analysis {
	return &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{
		{
			Kind: effect.Run, Command: "git \"commit\" é", Forms: []string{"git commit", "commit"}, Host: "h", Name: "n", Path: "a\nb",
			Inside: []string{"x", ""}, Related: []string{"y"}, Events: []effect.Event{effect.Commit, effect.Push},
			Tree: true, Glob: true, Unknown: true, Inert: true, Updates: true, Required: true, Span: effect.Span{Start: 0, End: 3},
			Commit: &effect.CommitFacts{Elsewhere: true, Known: true, Merging: true, Files: []string{"f"}, Globs: []string{"*"}},
		},
		{Kind: effect.Write, Path: "b", Commit: &effect.CommitFacts{}, Span: effect.Span{Start: 1, End: 2}},
		{Kind: effect.Run, Forms: []string{"git commit -m"}, Data: true, Span: effect.Span{Start: 4, End: 9}},
	}}
}

func TestACallIsReadAsItWasWritten(t *testing.T) {
	want := full()
	got, err := rejudge.Parse("Bash", noted().Append(want, same))
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Effects {
		a, b := &want.Effects[i].Span, &got.Effects[i].Span
		if a.Start >= a.End || b.Start >= b.End {
			t.Errorf("the span of effect %d is %+v", i, b)
		}
		*a, *b = effect.Span{}, effect.Span{}
	}
	if !reflect.DeepEqual(&got.Analysis, want) {
		t.Errorf("got  %+v\nwant %+v", got.Effects, want.Effects)
	}
	layers := []rejudge.Layer{{"backend", "api", "implement", "container"}, {}}
	if !reflect.DeepEqual(got.Layers, layers) {
		t.Errorf("got %+v", got.Layers)
	}
}

func TestACallWithASecretIsNotRecorded(t *testing.T) {
	mask := func(text string) string { return strings.ReplaceAll(text, "--token geheim", "--token ***") }
	call := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{
		{Kind: effect.Fetch, Host: "geheim"}, {Kind: effect.Run, Command: "curl --token geheim"},
	}}
	text := noted().Append(call, mask)
	if _, err := rejudge.Parse("Bash", text); !errors.Is(err, rejudge.ErrSecret) || strings.Contains(text, "geheim") {
		t.Errorf("got %v, recorded %s", err, text)
	}
}

func TestDataIsNotRecorded(t *testing.T) {
	call := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{
		{Kind: effect.Run, Command: "git commit -m message", Forms: []string{"git commit -m"}, Data: true},
	}}
	text := noted().Append(call, same)
	if c, err := rejudge.Parse("Bash", text); err != nil || c.Text() != "git commit -m" || strings.Contains(text, "message") {
		t.Errorf("got %+v, %v, recorded %s", c, err, text)
	}
}

func TestTextsThatAreNoCallsAreRefused(t *testing.T) {
	large := &effect.Analysis{}
	for range 1000 {
		large.Effects = append(large.Effects, full().Effects...)
	}
	for text, want := range map[string]error{
		rejudge.Off: rejudge.ErrOff, rejudge.TooLarge: rejudge.ErrTooLarge, rejudge.Advice: rejudge.ErrAdvice,
		noted().Append(large, same): rejudge.ErrTooLarge, "": rejudge.ErrUnknown, "[]": rejudge.ErrUnknown,
		`{"v":["1"]}`:                     rejudge.ErrUnknown,
		`{"v":["2"],"effects":[]}`:        rejudge.ErrUnknown,
		strings.Repeat(" ", 9<<10) + `{}`: rejudge.ErrUnknown,
		strings.Replace(noted().Append(full(), same), `"push"`, `"pull"`, 1): rejudge.ErrUnknown,
		strings.Replace(noted().Append(full(), same), `"write"`, `"put"`, 1): rejudge.ErrUnknown,
	} {
		if c, err := rejudge.Parse("Bash", text); err != want { //nolint:errorlint // Parse wraps no errors
			t.Errorf("%.80s: got %+v, %v, want %v", text, c, err, want)
		}
	}
}

func layers(t testing.TB, text string) []decide.Layer {
	t.Helper()
	file, problems := rules.Parse("rules.yaml", []byte("guidelines: "+text))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var list []guideline.Guideline
	for _, g := range file.Guidelines {
		list = append(list, g.Guideline)
	}
	set, err := evaluator.Compile(list)
	if err != nil {
		t.Fatal(err)
	}
	return decide.Alone(set, guideline.Context{})
}

const (
	limit   = `[{id: few, name: Few, category: context_constraint, action: {type: constraint, max_files: 1}}]`
	tested  = `[{id: tested, name: Tested, category: tdd_protocol, action: {type: constraint, require_tests: true}}]`
	noWrite = `[{id: none, name: None, ` + denied
	onMain  = `[{id: main, name: Main, condition: {custom: {branch: main}}, ` + denied
	notMain = `[{id: main, name: Main, condition: {custom: {branch: "!main"}}, ` + denied
	onMon   = `[{id: monday, name: Monday, condition: {custom: {weekday: monday}}, ` + denied
	inLoops = `[{id: loops, name: Loops, condition: {events: [tool_loop]}, ` + denied
	denied  = `category: security, action: {type: tool_restriction, tools_denied: ["Write(*)"]}}]`
	asks    = `[{id: ask, name: Ask, category: security, action: {type: hitl_gate, gate_type: x, gate_threshold: mandatory, ` +
		`tools_asked: ["Write(*)"], parameters: {remember: session}}}]`
	noB = `[{id: b, name: B, category: security, action: {type: tool_restriction, tools_denied: ["Write(b*)"]}}]`
)

func facts() decide.Facts {
	return decide.Facts{
		Now: time.Date(2026, 3, 2, 1, 0, 0, 0, time.FixedZone("east", 4*3600)), Branch: func() string { return "main" },
		Agreed: func() []string { return nil },
		Session: func() (decide.Session, error) {
			return decide.Session{Changed: []string{"x"}, Tests: decide.TestsMissing}, nil
		},
		Tests: func() decide.ProjectTests { return decide.ProjectTests{None: true} },
		List: func(string, int) ([]decide.Entry, bool) {
			return []decide.Entry{{Name: "a.go"}, {Name: "d", Folder: true}, {Name: "l", Link: true}}, true
		},
	}
}

func TestACallIsJudgedAgainWithTheFactsThatWereNotedForIt(t *testing.T) {
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	glob := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{{Kind: effect.Delete, Path: "*.go", Glob: true}}}
	commit := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{
		{Kind: effect.Run, Command: "git commit", Events: []effect.Event{effect.Commit}, Commit: &effect.CommitFacts{}},
	}}
	for name, c := range map[string]struct {
		call *effect.Analysis
		// The field "judged" contains the guidelines at the time of the call. The field "again" contains the
		// guidelines with which the call is judged again.
		judged, again string
		branches      []string
		want          decide.Outcome
		missing       rejudge.Missing
	}{
		"a limit":                             {write, limit, limit, nil, decide.Ask, ""},
		"a limit that is new":                 {write, noWrite, limit, nil, "", rejudge.MissingSession},
		"tests":                               {commit, tested, tested, nil, "", ""},
		"tests that are new":                  {commit, noWrite, tested, nil, "", rejudge.MissingSession},
		"a branch":                            {write, onMain, onMain, []string{"main"}, decide.Deny, ""},
		"a branch that is new":                {write, noWrite, onMain, []string{"main"}, "", rejudge.MissingBranch},
		"a branch that does not matter":       {commit, noWrite, onMain, []string{"main"}, decide.Allow, ""},
		"the day in the zone of the computer": {write, noWrite, onMon, nil, decide.Deny, ""},
		"a branch that is excluded":           {write, noWrite, notMain, []string{"main"}, "", rejudge.MissingBranch},
		"a glob":                              {glob, noWrite, noWrite, nil, "", ""},
		"a glob that is new":                  {glob, onMain, noB, nil, "", rejudge.MissingFolders},
	} {
		t.Run(name, func(t *testing.T) {
			n := noted()
			was := decide.Judge(layers(t, c.judged), c.call, watched(n, facts()))
			again, err := rejudge.Parse(c.call.Tool, n.Append(c.call, same))
			if err != nil {
				t.Fatal(err)
			}
			d, missing := again.Judge(layers(t, c.again), facts().Now.UTC(), rejudge.Needs{Branches: c.branches})
			if missing != c.missing || c.want != "" && d.Outcome != c.want {
				t.Errorf("got %s %q, want %s %q", d.Outcome, missing, c.want, c.missing)
			}
			if c.judged == c.again && d.Outcome != was.Outcome {
				t.Errorf("got %s, and the hook decided %s", d.Outcome, was.Outcome)
			}
		})
	}
}

func TestACallWithAnUncheckedScriptIsOnlyReplayedIfItIsAllowed(t *testing.T) {
	n := noted()
	n.Unconfirmed = true
	write := &effect.Analysis{Tool: "Bash", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	c, err := rejudge.Parse("Bash", n.Append(write, same))
	if err != nil {
		t.Fatal(err)
	}
	if _, missing := c.Judge(layers(t, noWrite), facts().Now, rejudge.Needs{}); missing != rejudge.MissingScripts {
		t.Errorf("got %q", missing)
	}
	if d, missing := c.Judge(layers(t, "[]"), facts().Now, rejudge.Needs{}); missing != "" || d.Outcome != decide.Allow {
		t.Errorf("got %s %q", d.Outcome, missing)
	}
}

func TestWhatGuidelinesNeedIsMissingIfTheHookDidNotLook(t *testing.T) {
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	for name, c := range map[string]struct {
		rules    string
		unlooped bool
		needs    rejudge.Needs
		want     rejudge.Missing
	}{
		"a loop":                         {inLoops, true, rejudge.Needs{Loops: true}, rejudge.MissingLoops},
		"a loop that was looked for":     {inLoops, false, rejudge.Needs{Loops: true}, ""},
		"a loop that does not matter":    {noWrite, true, rejudge.Needs{Loops: true}, ""},
		"a yes to a saved guideline":     {asks, false, rejudge.Needs{Asking: map[string]bool{"ask": true}}, rejudge.MissingYeses},
		"no yes to a new guideline":      {asks, false, rejudge.Needs{Asking: map[string]bool{"other": true}}, ""},
		"a branch that cannot be tried":  {noWrite, false, rejudge.Needs{AnyBranch: true}, rejudge.MissingBranch},
		"a branch that no condition has": {noWrite, false, rejudge.Needs{}, ""},
	} {
		n := noted()
		n.Unlooped = c.unlooped
		watched(n, facts())
		call, err := rejudge.Parse("Write", n.Append(write, same))
		if err != nil {
			t.Fatal(err)
		}
		if _, missing := call.Judge(layers(t, c.rules), facts().Now, c.needs); missing != c.want {
			t.Errorf("%s: got %q, want %q", name, missing, c.want)
		}
	}
}

func TestManyFilesOfASessionAreNotNoted(t *testing.T) {
	n, f := noted(), facts()
	f.Session = func() (decide.Session, error) { return decide.Session{Changed: make([]string, 1000)}, nil }
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	decide.Judge(layers(t, limit), write, watched(n, f))
	c, err := rejudge.Parse("Write", n.Append(write, same))
	if err != nil {
		t.Fatal(err)
	}
	if _, missing := c.Judge(layers(t, limit), f.Now, rejudge.Needs{}); missing != rejudge.MissingSession {
		t.Errorf("got %q", missing)
	}
}

func TestAFactThatIsAskedForMoreThanOnceIsNotedOnce(t *testing.T) {
	n, f := noted(), facts()
	facts := watched(n, f)
	for range 2 {
		facts.Branch()
		facts.Tests()
		facts.Agreed()
		if _, err := facts.Session(); err != nil {
			t.Fatal(err)
		}
		facts.List("a", 10)
	}
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	text := n.Append(write, same)
	if _, err := rejudge.Parse("Write", text); err != nil || strings.Count(text, `"branch"`) != 1 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestACallInTwoLayersWithConditionsOnTheBranchIsReplayed(t *testing.T) {
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	two := func() []decide.Layer { return append(layers(t, onMain), layers(t, onMain)...) }
	n := noted()
	decide.Judge(two(), write, watched(n, facts()))
	c, err := rejudge.Parse("Write", n.Append(write, same))
	if err != nil {
		t.Fatal(err)
	}
	if d, missing := c.Judge(two(), facts().Now, rejudge.Needs{}); missing != "" || d.Outcome != decide.Deny {
		t.Errorf("got %s %q", d.Outcome, missing)
	}
}

func TestTooManyYesesOfAPersonAreReportedAsMissing(t *testing.T) {
	write := &effect.Analysis{Tool: "Write", Effects: []effect.Effect{{Kind: effect.Write, Path: "a.go"}}}
	for yeses, want := range map[int]rejudge.Missing{0: "", 200: "", 201: rejudge.MissingYeses} {
		n, f := noted(), facts()
		f.Agreed = func() []string { return make([]string, yeses) }
		decide.Judge(layers(t, asks), write, watched(n, f))
		c, err := rejudge.Parse("Write", n.Append(write, same))
		if err != nil {
			t.Fatal(err)
		}
		if _, missing := c.Judge(layers(t, asks), f.Now, rejudge.Needs{}); missing != want {
			t.Errorf("%d yeses: got %q, want %q", yeses, missing, want)
		}
	}
}

// A hostile record must not stop a replay.
func FuzzParse(f *testing.F) {
	f.Add(noted().Append(full(), same))
	n := noted()
	decide.Judge(layers(f, limit), full(), watched(n, facts()))
	f.Add(n.Append(full(), same))
	f.Add(`{"v":["1"],"effects":[{"k":["run"],"s":["9","-1"]}],"layer0":["","","",""],"host":["","","","","0"],"folder0":["a","1","true"]}`)
	sets := [][]decide.Layer{layers(f, limit), layers(f, tested), layers(f, onMain), layers(f, noWrite)}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := rejudge.Parse("Bash", text)
		if err != nil {
			return
		}
		_ = c.Text()
		for _, set := range sets {
			c.Judge(set, time.Unix(0, 0), rejudge.Needs{Branches: []string{"main"}, Loops: true})
		}
	})
}
