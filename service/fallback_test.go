package service_test

import (
	"strconv"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/fallback"
)

// brokenProject returns the files of a project with one valid and one invalid guideline file.
func brokenProject(settings string) map[string]string {
	return map[string]string{
		".claude/guardrails.yaml":   settings,
		".claude/guardrails/a.yaml": rule("good", "action: {type: instruction, instruction: Good.}"),
		".claude/guardrails/b.yaml": rule("bad", "action: {type: instructoin}") +
			rule("beside", "action: {type: instruction, instruction: Beside.}"),
		".claude/rules/c.md": "# Client\n\nOnly the client's text.\n",
	}
}

const badReason = `.claude/guardrails/b.yaml:4: [0].action.type: "instructoin" is not accepted; use one of instruction, tool_restriction, hitl_gate, constraint, telemetry`

func TestGuidelinesInForceWhileAFileIsBroken(t *testing.T) {
	const own = "good beside c"
	for _, c := range []struct {
		name, settings, choice string
		mode, source           string
		notice                 string
	}{
		{"no decision", "", "", config.AskUser, fallback.SourceStatic, "How should this session continue?"},
		{
			"the user chooses static rules", "", fallback.ChoiceStatic, config.StaticRules, fallback.SourceStatic,
			"guidelines apply: the readable guidelines of the project, and the core pack.",
		},
		{
			"the user chooses no guidelines", "", fallback.ChoiceOpen, config.FailOpen, fallback.SourceOpen,
			"you chose this for this session",
		},
		{
			"the project chooses static rules", "fallback_mode: static_rules\n", "", config.StaticRules, fallback.SourceStatic,
			"guidelines apply: the readable guidelines of the project, and the core pack.",
		},
		{
			"the project chooses static rules, the user none", "fallback_mode: static_rules\n", fallback.ChoiceOpen,
			config.StaticRules, fallback.SourceStatic, "",
		},
		{
			"the project chooses no guidelines", "fallback_mode: fail_open\n", "", config.FailOpen, fallback.SourceOpen,
			"fallback_mode is fail_open",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, brokenProject(c.settings))
			a := p.ask(service.Request{Hook: true, Choice: c.choice, Context: guideline.Context{SessionID: "s"}})
			if a.Fallback == nil || a.Fallback.Mode != c.mode || a.Fallback.Reason != badReason || a.Source != c.source ||
				!a.Fallback.Since.Equal(p.now) {
				t.Fatalf("fallback %+v from %s", a.Fallback, a.Source)
			}
			contains(t, strings.Join(a.Notices, "\n"), "guardrails: "+badReason+".", c.notice)
			cached := cacheOf(t, a)
			if cached.Source != c.source || cached.Reason != badReason ||
				cached.ids() != strings.Replace(ids(a), "agent-loop ", "", 1) {
				t.Errorf("cached %+v", cached)
			}
			if c.source == fallback.SourceOpen {
				if ids(a) != "" || a.Injection != "" {
					t.Errorf("%s applies, and the injection is: %s", ids(a), a.Injection)
				}
				return
			}
			for id := range strings.FieldsSeq(own + " security-guard-tamper") {
				if !strings.Contains(" "+ids(a)+" ", " "+id+" ") {
					t.Errorf("%s does not apply: %s", id, ids(a))
				}
			}
			contains(t, a.Injection, "Only the client's text.", "They are the readable part of the project's guidelines")
		})
	}
}

func TestTheQuestionNamesTheReasonTheGuidelinesAndTheAnswers(t *testing.T) {
	p := newProject(t, brokenProject(""))
	got := p.hook("").Notices
	core, err := rules.Pack("core")
	check(t, err)
	want := "guardrails: " + badReason + ". Until this is answered, " + strconv.Itoa(len(core.Guidelines)+3) +
		" guidelines apply: the readable guidelines of the project, and the core pack. " +
		"How should this session continue? To continue with these guidelines, type \"guardrails: static\" (or run guardrails fallback static in a terminal). " +
		"To continue without guidelines, type \"guardrails: open\" (or run guardrails fallback open)."
	if len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTheReasonNamesFileLineAndProblem(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		reason string
	}{
		{
			"settings that are not YAML",
			map[string]string{".claude/guardrails.yaml": "tenant: [\n"},
			".claude/guardrails.yaml:2: is not YAML: did not find expected node content while parsing a flow node; fix the syntax here",
		},
		{
			"several mistakes",
			map[string]string{".claude/guardrails.yaml": "tenant: 3\nstrict: 4\ncache_ttl: x\n"},
			".claude/guardrails.yaml:1: tenant: is a number where a string is expected; write a string (and 2 more; run guardrails lint)",
		},
		{
			"a domain word without a letter",
			map[string]string{".claude/guardrails.yaml": "domains: {a: [\"*\"]}\n"},
			`.claude/guardrails.yaml: domains.a[0]: "*" has no letter or digit; write a word, a prefix such as bill*, or a phrase`,
		},
		{
			"a guideline defined twice",
			map[string]string{
				".claude/guardrails/a.yaml": rule("x", "action: {type: instruction}"),
				".claude/guardrails/b.yaml": "\n" + rule("x", "action: {type: instruction}"),
			},
			`.claude/guardrails/b.yaml:2: id: "x" is already defined at .claude/guardrails/a.yaml:1; rename or remove one of the two`,
		},
		{
			"a file name with control characters",
			map[string]string{".claude/guardrails/a\x1b\u202e.yaml": "x"},
			`.claude/guardrails/a\x1b.yaml:1: is a string where a guideline is expected; write "guidelines:" and a list of guidelines below it`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newProject(t, c.files).hook("")
			if a.Fallback == nil || a.Fallback.Reason != c.reason {
				t.Errorf("got  %+v\nwant %s", a.Fallback, c.reason)
			}
		})
	}
}

// Invalid settings must not change the agent or enable an exception.
func TestWithInvalidSettingsTheLastGoodOnesApply(t *testing.T) {
	const good = "default_agent: backend\ntenant: acme\nstrict: true\nenvironment: container\nfallback_mode: fail_open\npacks: []\n" +
		"exceptions: [{guideline: mine, reason: r, expires: 2030-01-01}]\n"
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml": good,
		".claude/guardrails/a.yaml": rule("mine", backendRule) +
			rule("tenants", "tenant_id: acme\naction: {type: instruction}"),
	})
	before := p.hook("")
	p.write(".claude/guardrails.yaml", strings.Replace(good, "backend", "[", 1))
	after := p.hook("")
	if after.Source != fallback.SourceSnapshot || ids(after) != ids(before) || ids(before) != "mine tenants" ||
		after.Fallback.Mode != config.AskUser {
		t.Fatalf("before %s, after %s from %s, %+v", ids(before), ids(after), after.Source, after.Fallback)
	}
	got := cacheOf(t, after)
	if got.own.Context.Agent != "backend" || !got.Strict || got.own.Context.Metadata["environment"] != "container" ||
		len(got.own.Exceptions) != 0 {
		t.Errorf("got %+v", got)
	}
	contains(t, strings.Join(after.Notices, "\n"),
		"Until this is answered, the last known good guidelines apply (2, read at 2026-02-05 10:00 UTC).")
}
