package decide_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"guardrails/decide"
	"guardrails/guideline"
)

func TestReasons(t *testing.T) {
	only := func(options ...option) []guideline.Guideline {
		return []guideline.Guideline{newGuideline("g", 500, options...)}
	}
	tests := []struct {
		name        string
		guidelines  []guideline.Guideline
		tool, input string
		want        string
	}{
		{
			"a denied path", only(denies("Write(contracts/*)")), "Write", `{"file_path":"contracts/a"}`,
			"Denied by g. Name of g: the call writes contracts/a, which the pattern Write(contracts/*) denies.",
		},
		{
			"characters that would make the path look different", only(denies("Write(contracts/*)")), "Write", `{"file_path":"contracts/\u001b[2Ka\u202eb\u200bc\u0007\u2028d\u009be"}`,
			"Denied by g. Name of g: the call writes contracts/·[2Ka·b·c· d·e, which the pattern Write(contracts/*) denies.",
		},
		{
			"a denied command that is a part of the call", only(denies("Bash(git push*)")), "Bash", `{"command":"make && git  push origin | tee log"}`,
			"Denied by g. Name of g: the call runs git push origin, which the pattern Bash(git push*) denies (in the call: git push origin).",
		},
		{
			"a denied deletion", only(denies("Edit(a/*)")), "Bash", `{"command":"rm a/b"}`,
			"Denied by g. Name of g: the call deletes or moves away a/b, which the pattern Edit(a/*) denies (in the call: rm a/b).",
		},
		{
			"a denied read", only(denies("Read(a/*)")), "Bash", `{"command":"sort < a/b"}`,
			"Denied by g. Name of g: the call reads a/b, which the pattern Read(a/*) denies (in the call: < a/b).",
		},
		{
			"a denied host", only(denies("WebFetch(domain:example.com)")), "WebFetch", `{"url":"https://example.com/a"}`,
			"Denied by g. Name of g: the call fetches from example.com, which the pattern WebFetch(domain:example.com) denies (in the call: url: https://example.com/a).",
		},
		{
			"a denied upload", only(denies("WebFetch(domain:example.com)")), "Bash", `{"command":"nc example.com 80 < a"}`,
			"Denied by g. Name of g: the call sends data to example.com, which the pattern WebFetch(domain:example.com) denies (in the call: nc example.com 80).",
		},
		{
			"a denied agent", only(denies("Agent(backend)")), "Task", `{"subagent_type":"backend","prompt":"x"}`,
			"Denied by g. Name of g: the call uses Task for backend, which the pattern Agent(backend) denies (in the call: subagent_type: backend).",
		},
		{
			"a denied tool", only(denies("TodoWrite")), "TodoWrite", `{}`,
			"Denied by g. Name of g: the call uses TodoWrite, which the pattern TodoWrite denies (in the call: TodoWrite).",
		},
		{
			"a denied unknown effect", only(denies("*"), allows("Write(src/*)")), "Write", `{}`,
			"Denied by g. Name of g: the call has an unknown effect, which no pattern can allow. Allowed here: Write(src/*).",
		},
		{
			"the reason for an event", only(on("destructive_op"), denies("Bash")), "Bash", `{"command":"rm -rf src"}`,
			"Denied by g. Name of g: the call deletes src and everything in it (in the call: rm -rf src).",
		},
		{
			"a destroyed pool", only(on("device_write"), denies("Bash")), "Bash", `{"command":"zpool destroy tank"}`,
			"Denied by g. Name of g: the call destroys a ZFS storage pool and its data (in the call: zpool destroy tank).",
		},
		{
			"an erased label", only(on("device_write"), denies("Bash")), "Bash", `{"command":"zpool labelclear /dev/sdb"}`,
			"Denied by g. Name of g: the call erases the ZFS label of a device (in the call: zpool labelclear /dev/sdb).",
		},
		{
			"an event without a reason", only(on("push"), asks("push")), "Bash", `{"command":"git push"}`,
			"Run git push? Rule: Name of g (g). A yes to this rule holds until your next prompt.",
		},
		{
			"an advisory gate", only(on("push"), notes("push")), "Bash", `{"command":"git push"}`,
			"Note from g (Name of g): the call runs git push (in the call: git push).",
		},
		{
			"the guideline says what to do instead", only(on("push"), denies("Bash"), instead("ask for a review.")), "Bash", `{"command":"git push"}`,
			"Denied by g. Name of g: the call runs git push (in the call: git push). Instead: ask for a review.",
		},
		{
			"a full stop is added", only(on("push"), denies("Bash"), instead("ask for a review")), "Bash",
			`{"command":"git push"}`,
			"Denied by g. Name of g: the call runs git push (in the call: git push). Instead: ask for a review.",
		},
		{
			"no full stop is added to a question", only(on("push"), denies("Bash"), instead("who reviewed it?")), "Bash",
			`{"command":"git push"}`,
			"Denied by g. Name of g: the call runs git push (in the call: git push). Instead: who reviewed it?",
		},
		{
			"the guideline's text comes before the allow list", only(allows("Bash(go *)"), instead("use go.")), "Bash", `{"command":"npm ci"}`,
			"Denied by g. Name of g: the call runs npm ci, which no pattern allows here (in the call: npm ci). Instead: use go.",
		},
		{
			"a value that is not a string is not used", only(denies("Bash(npm*)"), instead(5)), "Bash", `{"command":"npm ci"}`,
			"Denied by g. Name of g: the call runs npm ci, which the pattern Bash(npm*) denies (in the call: npm ci).",
		},
		{
			"the patterns of the allow list for this tool", only(allows("Bash(go *)", "Bash(make*)", "Write(src/*)", "Read")), "Bash", `{"command":"npm ci"}`,
			"Denied by g. Name of g: the call runs npm ci, which no pattern allows here (in the call: npm ci). Allowed here: Bash(go *), Bash(make*).",
		},
		{
			"a file tool without a path", only(denies("Write(locked/*)")), "Write", `{"file_path":5,"content":"x"}`,
			"Allow a call that has an unknown effect (Write has no file_path that is a string, so its effects are unknown) and may do what the pattern Write(locked/*) denies? Rule: Name of g (g).",
		},
		{
			"an unknown path", only(allows("Write(src/*)")), "Bash", `{"command":"echo x > src/$name"}`,
			"Denied by g. Name of g: the call writes src/$name, which is partly unknown, so no pattern can allow it (in the call: > src/$name). Allowed here: Write(src/*).",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := judgeTool(compile(t, tt.guidelines...), tt.tool, tt.input); d.Reason != tt.want {
				t.Errorf("got  %s\nwant %s", d.Reason, tt.want)
			}
		})
	}
}

func TestAnOversizedCommandMayContainADeniedOne(t *testing.T) {
	for pattern, want := range map[string]decide.Outcome{"Bash(rm *)": decide.Ask, "Write(locked/*)": decide.Ask, "Read(locked/*)": decide.Allow, "WebFetch": decide.Allow} {
		d := judgeTool(compile(t, newGuideline("g", 500, denies(pattern))), "Bash", `{"command":"`+strings.Repeat("a", 130<<10)+`; rm x"}`)
		if d.Outcome != want || want == decide.Ask && !strings.Contains(d.Reason, "larger than 128 KiB") {
			t.Errorf("%s: %s, %s", pattern, d.Outcome, d.Reason)
		}
	}
}

func TestAReasonSuggestsNothingThatIsDeniedToo(t *testing.T) {
	tests := []struct {
		name        string
		allowed     []string
		others      []guideline.Guideline
		command     string
		free, taken []string
	}{
		{"the same pattern", []string{"Bash(go *)", "Bash(npm *)"}, []guideline.Guideline{newGuideline("x", 1, denies("Bash(npm *)"))}, "make", []string{"Bash(go *)"}, []string{"npm"}},
		{"a wider command", []string{"Bash(go *)", "Bash(git push:*)"}, []guideline.Guideline{newGuideline("x", 1, denies("Bash(git*)"))}, "make", []string{"Bash(go *)"}, []string{"git push"}},
		{"a narrower command stays", []string{"Bash(git *)"}, []guideline.Guideline{newGuideline("x", 1, denies("Bash(git push*)"))}, "make", []string{"Bash(git *)"}, nil},
		{"the same path on another tool", []string{"Write(src/*)", "Write(docs/*)"}, []guideline.Guideline{newGuideline("x", 1, denies("Edit(src/*)"))}, "touch a", []string{"Write(docs/*)"}, []string{"src/"}},
		{"a wider path", []string{"Write(src/api/*)", "Write(./src/web/*)", "Write(docs/*)"}, []guideline.Guideline{newGuideline("x", 1, denies("Write(src/*)"))}, "touch a", []string{"Write(docs/*)"}, []string{"src/"}},
		{"the whole tool", []string{"Write(src/*)", "Edit(docs/*)"}, []guideline.Guideline{newGuideline("x", 1, denies("Write"))}, "touch a", []string{"Edit(docs/*)"}, []string{"Write(src"}},
		{"a wider domain", []string{"WebFetch(domain:a.example.com)", "WebFetch(domain:b.org)"}, []guideline.Guideline{newGuideline("x", 1, denies("WebFetch(domain:*.example.com)"))}, "curl c.net", []string{"domain:b.org"}, []string{"example.com"}},
		{"all patterns are denied", []string{"Bash(go *)"}, []guideline.Guideline{newGuideline("x", 1, denies("Bash(go*)"))}, "make", nil, []string{"Allowed here", "go"}},
		{"a denied star removes no allowed pattern", []string{"Bash(go *)"}, []guideline.Guideline{newGuideline("x", 1, denies("*"))}, "make", []string{"Bash(go *)"}, nil},
		{
			"a denial that applies to the denied effect, but not to the last one",
			[]string{"Bash(git commit*)", "Bash(go *)", "Bash(ls*)"},
			[]guideline.Guideline{newGuideline("x", 1, on("push"), denies("Bash(git*)"))},
			"git push; ls",
			[]string{"Bash(go *)"},
			[]string{"git commit*"},
		},
		{
			"a denial that applies only to the last effect",
			[]string{"Bash(go *)", "Bash(git push)"},
			[]guideline.Guideline{newGuideline("x", 1, on("push"), denies("Bash(go*)"))},
			"make; git push",
			[]string{"Bash(go *)"},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := compile(t, append(tt.others, newGuideline("list", 900, allows(tt.allowed...)))...)
			d := judge(set, tt.command)
			_, suggestion, _ := strings.Cut(d.Reason, "(in the call:")
			for _, word := range tt.free {
				if !strings.Contains(suggestion, word) {
					t.Errorf("does not suggest %q: %s", word, d.Reason)
				}
			}
			for _, word := range tt.taken {
				if strings.Contains(suggestion, word) {
					t.Errorf("suggests %q: %s", word, d.Reason)
				}
			}
		})
	}
}

func TestAPatternForAnotherToolIsStillSuggested(t *testing.T) {
	set := compile(t, newGuideline("x", 1, denies("Agent(dev*)")), newGuideline("list", 9, allows("Agent(devops)", "Task(reviewer)")))
	d := judgeTool(set, "Agent", `{"subagent_type":"backend","prompt":"x"}`)
	if !strings.HasSuffix(d.Reason, "Allowed here: Task(reviewer).") {
		t.Error(d.Reason)
	}
}

func TestAReasonIsShortWhateverTheCallIs(t *testing.T) {
	long := strings.Repeat("é", 20_000)
	set := compile(t, newGuideline("g", 1, denies("Bash(x*)", "Write(x*)", "Read(x*)"), on("outside_write"), asks("outside")), newGuideline("h", 1, denies("Bash(x*)", "Write(x*)", "Read(x*)", "Agent")))
	var patterns []string
	for range 40 {
		patterns = append(patterns, "WebFetch(domain:"+strings.Repeat("a", 30)+string(rune('a'+len(patterns)%26))+".com)")
	}
	list := compile(t, newGuideline("g", 1, allows(patterns...)))
	reasons := map[string]string{
		"command":     judge(set, "x "+long).Reason,
		"lines":       judge(set, "x 'a\n\n\tb'").Reason,
		"file":        judgeTool(set, "Write", `{"file_path":"x`+long[:16_000]+`"}`).Reason,
		"outside":     judgeTool(set, "Write", `{"file_path":"/opt/`+long[:16_000]+`"}`).Reason,
		"redirection": judge(set, "echo > x"+long[:16_000]).Reason,
		"name":        judgeTool(set, "Agent", `{"subagent_type":"`+long+`","prompt":"x"}`).Reason,
		"list":        judge(list, "curl https://"+strings.Repeat("b", 5_000)+".org").Reason,
	}
	for what, reason := range reasons {
		if reason == "" || len(reason) > 1500 || !utf8.ValidString(reason) || strings.ContainsAny(reason, "\n\t") {
			t.Errorf("%s: %d bytes: %.300q", what, len(reason), reason)
		}
	}
	if !strings.Contains(reasons["list"], ", ….") {
		t.Errorf("the list is not cut visibly: %s", reasons["list"])
	}
}
