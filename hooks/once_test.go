package hooks_test

import (
	"regexp"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

func enforce(s *stage, e *wire.Event) wire.Outcome { return hooks.ToolCall(s.host, e) }

var codeOf = regexp.MustCompile(`guardrails allow-once ([A-Z0-9]{8})`)

// allow() allows the denied call once. It uses the code in the reason, as the "allow-once" command does.
func (s *stage) allow(o wire.Outcome) {
	s.t.Helper()
	found := codeOf.FindStringSubmatch(o.Reason)
	if found == nil {
		s.t.Fatalf("no code in %q", o.Reason)
	}
	text, err := s.host.Dir.ReadSigned(session.DeniedName("s1", found[1]), 1<<20)
	if err != nil {
		s.t.Fatal(err)
	}
	r, ok := hooks.ParseRefusal(text)
	if !ok || r.Tool != "Write" || r.Guideline != "no-ui" {
		s.t.Fatalf("kept %+v", r)
	}
	if err := hooks.AllowOnce(s.host.Dir, &r, s.now); err != nil {
		s.t.Fatal(err)
	}
}

func TestAPersonAllowsOneCallOnce(t *testing.T) {
	s := newStage(t, paths)
	s.allow(s.pre(s.write("src/ui/a.ts")))
	s.want(s.pre(s.write("src/ui/b.ts")), "deny")
	s.want(s.pre(s.bash("echo x > src/ui/a.ts")), "deny")
	s.want(s.pre(with(s.write("src/ui/a.ts"), "agent_id", "a1", "agent_type", "backend")), "deny")
	s.want(enforce(s, s.event(wire.PreToolUse, with(s.write("src/ui/a.ts"), "session_id", "s2"))), "deny")
	s.want(s.pre(s.write("src/ui/a.ts")), "ask", "Allow this call once?", "Say yes only if that was you", "no-ui")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	if got := s.records("allow_once"); len(got) != 1 || got[0]["guideline_id"] != "no-ui" {
		t.Errorf("recorded %v", got)
	}
}

func TestIfNobodyCanBeAskedTheGrantIsEnough(t *testing.T) {
	s := newStage(t, paths)
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
	s.allow(s.pre(s.write("src/ui/a.ts")))
	s.want(s.pre(s.write("src/ui/a.ts")), "pass", "A person has allowed this call once, although no-ui denies it.")
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
}

func TestAGrantedCallThatRanIsRecordedAsApproved(t *testing.T) {
	s := newStage(t, paths)
	s.allow(s.pre(s.write("src/ui/a.ts")))
	again := with(s.write("src/ui/a.ts"), "tool_use_id", "t9")
	s.want(s.pre(again), "ask")
	s.post(again)
	if got := s.records("gate"); len(got) != 1 || got[0]["outcome"] != "approved" {
		t.Errorf("recorded %v", got)
	}
}

func TestAGrantForAToolOfAServerIsForItsArguments(t *testing.T) {
	s := newStage(t, "id: no-notes\nname: No notes\ncategory: security\naction: {type: tool_restriction, tools_denied: [mcp__notes]}\n")
	note := func(text string) map[string]any { return call("mcp__notes__add", "text", text) }
	found := codeOf.FindStringSubmatch(s.pre(note("one")).Reason)
	if found == nil {
		t.Fatal("no code")
	}
	r, err := hooks.Refused(s.host.Dir, found[1], s.now, func(int) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	if err := hooks.AllowOnce(s.host.Dir, &r, s.now); err != nil {
		t.Fatal(err)
	}
	s.want(s.pre(note("another")), "deny")
	s.want(s.pre(note("one")), "ask", "Allow this call once?")
}

func TestAGrantLastsMinutes(t *testing.T) {
	for late, want := range map[time.Duration]string{9 * time.Minute: "ask", 11 * time.Minute: "deny", -time.Hour: "deny"} {
		s := newStage(t, paths)
		s.allow(s.pre(s.write("src/ui/a.ts")))
		s.now = s.now.Add(late)
		s.want(s.pre(s.write("src/ui/a.ts")), want)
	}
}

func TestAGuidelineCanForbidAllowingACallOnce(t *testing.T) {
	s := newStage(t, `
id: never
name: Never
category: security
action: {type: tool_restriction, tools_denied: ["Write(secret/*)"], parameters: {allow_once: false}}
`)
	for _, fields := range []map[string]any{s.write("secret/a"), s.write(".claude/settings.json")} {
		o := s.pre(fields)
		s.want(o, "deny")
		if codeOf.MatchString(o.Reason) {
			t.Errorf("a code is offered: %s", o.Reason)
		}
	}
}

func TestAnExceptionAppliesUntilItExpires(t *testing.T) {
	for _, c := range []struct {
		name, path, want string
		x                cache.Exception
	}{
		{"for every call", "src/ui/a.ts", "pass", cache.Exception{Guideline: "no-ui"}},
		{"for a path", "src/ui/a.ts", "pass", cache.Exception{Guideline: "no-ui", Tools: []string{"Edit(src/ui/a*)"}}},
		{"for another path", "src/ui/b.ts", "deny", cache.Exception{Guideline: "no-ui", Tools: []string{"Edit(src/ui/a*)"}}},
		{"for an alias", "src/ui/a.ts", "pass", cache.Exception{Guideline: "ui-is-theirs"}},
		{"for another guideline", "src/ui/a.ts", "deny", cache.Exception{Guideline: "other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, paths)
			c.x.Reason, c.x.Expires = "the move to the new layout", s.now.Add(time.Minute)
			s.body.Layers[0].Exceptions = []cache.Exception{c.x}
			s.want(s.pre(s.write(c.path)), c.want)
			if got := s.records("exception"); c.want == "pass" && (len(got) != 1 || got[0]["reason"] != "exception: the move to the new layout") {
				t.Errorf("recorded %v", got)
			}
			s.now = s.now.Add(2 * time.Minute)
			s.want(s.pre(s.write(c.path)), "deny")
		})
	}
}
