package service_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/cache"
	"guardrails/internal/private"
	"guardrails/rules"
	"guardrails/service"
)

// usersRules holds guidelines of the user. Two of them depend on the user's settings. The guideline "only-src" applies
// to the user's default agent. The guideline "at-desk" applies to one of the user's domains on a workstation.
const usersRules = `
- {id: no-push, name: No push, category: security, action: {type: tool_restriction, tools_denied: ["Bash(git push:*)"]}}
- {id: gate-tag, name: Tags, category: hitl_gate, condition: {paths: ["tags/**"]}, action: {type: hitl_gate, gate_type: tag}}
- {id: only-src, name: Only src, category: custom, condition: {agents: [writer]}, action: {type: tool_restriction, tools_allowed: ["Write(src/**)"]}}
- id: at-desk
  name: At the desk
  category: custom
  condition: {domains: [money], custom: {environment: workstation}}
  action: {type: tool_restriction, tools_denied: ["WebFetch(domain:bank.test)"]}
- {id: fixed, name: Fixed, locked: true, category: custom, action: {type: tool_restriction, tools_denied: ["Read(secret/**)"]}}
`

const usersSettings = "packs: [core]\ndefault_agent: writer\ndomains: {money: [invoice]}\n"

// stoppedCalls returns calls that are stopped by guidelines of the user's layer. Each key is the id of the guideline
// that stops the call.
func stoppedCalls() map[string][2]string {
	return map[string][2]string{
		"no-push":                 {"Bash", `{"command": "git push origin main"}`},
		"gate-tag":                {"Write", `{"file_path": "tags/one", "content": "x"}`},
		"only-src":                {"Write", `{"file_path": "docs/a.md", "content": "x"}`},
		"at-desk":                 {"WebFetch", `{"url": "https://bank.test/a", "prompt": "x"}`},
		"fixed":                   {"Read", `{"file_path": "secret/key"}`},
		"security-system-delete":  {"Bash", `{"command": "rm -rf /usr"}`},
		"security-secret-access":  {"Bash", `{"command": "cat ~/.ssh/id_rsa"}`},
		"security-project-delete": {"Bash", `{"command": "rm -rf ."}`},
	}
}

// judged() returns the decision about a call. It reads the guidelines from the session cache, as a hook does.
func judged(t *testing.T, s *service.Service, root string, call [2]string) *decide.Decision {
	t.Helper()
	return judgedFor(t, s, root, service.Request{Hook: true, Prompt: "check the invoice"}, call)
}

// judgedFor is like judged(), but for the given request.
func judgedFor(t *testing.T, s *service.Service, root string, r service.Request, call [2]string) *decide.Decision {
	t.Helper()
	a := getContext(t, s, r)
	doc := []byte(a.SessionCache)
	now := time.Now()
	check(t, cache.Seal(doc, now, private.Key{}))
	kept, err := cache.Read(strings.NewReader(string(doc)), int64(len(doc)), now, private.Key{})
	check(t, err)
	analysis := toolcall.Analyze(&toolcall.Env{Root: root, Cwd: root, Home: "/home/ann"}, call[0], []byte(call[1]))
	relevant, err := kept.Relevant(analysis)
	check(t, err)
	layers, err := hooks.Layers(relevant, "", analysis)
	check(t, err)
	return decide.Judge(layers, analysis, decide.Facts{Now: now})
}

func rank(o decide.Outcome) int {
	return map[decide.Outcome]int{decide.Allow: 0, decide.Warn: 1, decide.Ask: 2, decide.Deny: 3}[o]
}

// userOf writes the user's guidelines: to the store if the parameter "filled" is set, otherwise to files.
func userOf(t *testing.T, p *storedProject, filled bool) {
	t.Helper()
	p.user(usersSettings)
	if !filled {
		p.write("../config/guardrails/guidelines/own.yaml", usersRules)
		return
	}
	p.write("own.yaml", usersRules)
	b := p.tenantStore("")
	for _, g := range parsedRules(t, filepath.Join(p.root, "own.yaml")) {
		create(t, b, g)
	}
}

const everyException = "exceptions:\n" +
	"  - {guideline: no-push, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: gate-tag, tools: [Write, Bash], reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: only-src, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: at-desk, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: fixed, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: security-system-delete, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: security-secret-access, reason: r, expires: 2099-01-01}\n" +
	"  - {guideline: security-project-delete, reason: r, expires: 2099-01-01}\n"

// hostileProjects returns projects that try to weaken the user's guidelines, with files or with variables in the
// client's settings.
func hostileProjects() map[string]struct {
	files, variables map[string]string
} {
	type project = struct{ files, variables map[string]string }
	settings := func(text string) project { return project{files: map[string]string{config.File: text}} }
	rules := func(text string) project { return project{files: map[string]string{".claude/guardrails/a.yaml": text}} }
	off := ""
	for id := range stoppedCalls() {
		off += "- {id: " + id + ", name: x, category: custom, enabled: false, action: {type: instruction}}\n"
	}
	return map[string]project{
		"nothing":                  {},
		"a harmless guideline":     rules(rule("style", "action: {type: instruction, instruction: Short lines.}")),
		"exceptions":               settings(everyException),
		"no packs":                 settings("packs: []\n"),
		"other packs":              settings("packs: [roles]\n"),
		"the ids, turned off":      rules(off),
		"the ids with other texts": rules(strings.ReplaceAll(off, "enabled: false, ", "priority: 1000, ")),
		"advisory gates": rules(rule("mild", "priority: 1000\ncondition: {paths: [\"**\"]}\n"+
			"action: {type: hitl_gate, gate_type: tag, gate_threshold: advisory}")),
		"a wider allow list": rules(rule("wide", "priority: 1000\n"+
			"action: {type: tool_restriction, tools_allowed: [\"Write(**)\", Write, Bash, WebFetch, Read]}")),
		"another tenant":  settings("tenant: evil\n"),
		"another store":   settings("store: sqlite:/nowhere/evil.db\n"),
		"another server":  settings("server: {url: \"http://127.0.0.1:1/mcp\"}\n"),
		"fail open":       settings("fallback_mode: fail_open\nstore: sqlite:/nowhere/evil.db\n"),
		"a container":     settings("environment: container\n"),
		"another agent":   settings("default_agent: evil\n"),
		"other domains":   settings("domains: {evil: [invoice]}\n"),
		"a long time":     settings("cache_ttl: 3600\n"),
		"broken settings": settings("packs: [\n"),
		"a broken file":   rules("nonsense\n"),
		"a broken file that fails open": {files: map[string]string{
			config.File: "fallback_mode: fail_open\n", ".claude/guardrails/a.yaml": "nonsense\n",
		}},
		"variables": {variables: map[string]string{
			"GUARDRAILS_PACKS": ",", "GUARDRAILS_TENANT": "evil", "GUARDRAILS_STORE": "sqlite:/nowhere/evil.db",
			"GUARDRAILS_ENVIRONMENT": "container", "GUARDRAILS_DEFAULT_AGENT": "evil",
			"GUARDRAILS_DOMAINS": `{"evil": ["invoice"]}`, "GUARDRAILS_FALLBACK_MODE": "fail_open",
			"GUARDRAILS_EXCEPTIONS": `[{"guideline": "no-push", "reason": "r", "expires": "2099-01-01"}]`,
			"ELASTICSEARCH_URL":     "http://127.0.0.1:1",
		}},
		"broken variables": {variables: map[string]string{"GUARDRAILS_STORE": "x", "GUARDRAILS_DOMAINS": "{"}},
	}
}

func TestAProjectCannotLoosenTheUsersGuard(t *testing.T) {
	for name, files := range hostileProjects() {
		for _, filled := range []bool{false, true} {
			t.Run(name+map[bool]string{false: ", empty store", true: ", filled store"}[filled], func(t *testing.T) {
				t.Parallel()
				p := newStoredProject(t, files.files)
				userOf(t, p, filled)
				for variable, value := range files.variables {
					p.vars[variable] = value
				}
				s := p.newService(false)
				for id, call := range stoppedCalls() {
					if d := judged(t, s, p.root, call); rank(d.Outcome) < rank(decide.Ask) || !hasFinding(d, id) {
						t.Errorf("%s: %s by %s", id, d.Outcome, d.Guideline())
					}
				}
			})
		}
	}
}

func hasFinding(d *decide.Decision, id string) bool {
	for i := range d.Findings {
		if d.Findings[i].Guideline.ID == id {
			return true
		}
	}
	return false
}

// When a project's files are broken, the user's layer stays, even if the person continues without the project's
// guidelines.
func TestAPersonWhoContinuesWithoutAProjectsGuidelinesKeepsTheirOwn(t *testing.T) {
	p := newStoredProject(t, map[string]string{".claude/guardrails/a.yaml": "nonsense\n"})
	userOf(t, p, false)
	a := getContext(t, p.newService(false), service.Request{Hook: true, Choice: "open"})
	if c := cacheOf(t, a); c.Source != cache.Open || !strings.Contains(c.ids(), "no-push") {
		t.Errorf("%s from %s", c.ids(), c.Source)
	}
	contains(t, strings.Join(a.Notices, "\n"), "Your own guidelines and those of the machine still apply.")
}

func TestAProjectTightensAndLoosensItsOwnLayer(t *testing.T) {
	deny := func(id string) string {
		return rule(id, "action: {type: tool_restriction, tools_denied: [\"Bash(make:*)\"]}")
	}
	run := [2]string{"Bash", `{"command": "make all"}`}
	for _, c := range []struct {
		name, settings string
		want           decide.Outcome
	}{
		{"it tightens", "", decide.Deny},
		{"it loosens its own guideline", "exceptions: [{guideline: no-make, reason: r, expires: 2099-01-01}]\n", decide.Allow},
		{"its settings are locked", "locked: true\n", decide.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newStoredProject(t, map[string]string{".claude/guardrails/a.yaml": deny("no-make"), config.File: c.settings})
			userOf(t, p, false)
			if strings.Contains(c.settings, "locked") {
				p.user(usersSettings + "exceptions: [{guideline: no-make, reason: r, expires: 2099-01-01}]\n")
			}
			if d := judged(t, p.newService(false), p.root, run); d.Outcome != c.want {
				t.Errorf("%s by %s", d.Outcome, d.Guideline())
			}
		})
	}
}

func TestATrustedProjectLoosensUntilItsFilesChange(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: everyException + "default_agent: other\nenvironment: container\n"})
	userOf(t, p, false)
	now := time.Now()
	want := func(when string, loosened bool) {
		t.Helper()
		for id, call := range stoppedCalls() {
			if id == "security-project-delete" || id == "security-system-delete" || id == "security-secret-access" {
				continue // other guidelines of the pack also stop these calls
			}
			d := judged(t, p.newService(false), p.root, call)
			if hasFinding(d, id) == (loosened && id != "fixed") {
				t.Errorf("%s, %s: %s by %s", when, id, d.Outcome, d.Guideline())
			}
		}
	}
	want("untrusted", false)
	hash, err := trust.Hash(p.root)
	check(t, err)
	check(t, trust.Trust(p.env, p.root, hash, now))
	want("trusted", true)
	p.write(".claude/guardrails/new.yaml", rule("new", "action: {type: instruction}"))
	want("changed", false)
	if list, err := trust.List(p.env); err != nil || len(list) != 1 || !list[0].Changed {
		t.Errorf("%+v %v", list, err)
	}
	hash, err = trust.Hash(p.root)
	check(t, err)
	check(t, trust.Trust(p.env, p.root, hash, now))
	p.user(usersSettings + "locked: true\n")
	want("locked", false)
	was, err := trust.Untrust(p.env, p.root)
	if !was || err != nil {
		t.Errorf("%v %v", was, err)
	}
}

func TestWhatIsIgnoredIsSaid(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: everyException + "tenant: evil\n"})
	userOf(t, p, false)
	p.vars["GUARDRAILS_STORE"] = "sqlite:/nowhere/evil.db"
	a := getContext(t, p.newService(false), service.Request{Hook: true})
	contains(t, strings.Join(a.Notices, "\n"), "guardrails ignores tenant, exceptions from ",
		"exceptions from no-push", "guardrails ignores GUARDRAILS_STORE: ",
		"guardrails ignores exceptions from fixed: the guideline is locked")
	if len(a.Ignored) < 10 {
		t.Errorf("%+v", a.Ignored)
	}
}

func parsedRules(t *testing.T, file string) []guideline.Guideline {
	t.Helper()
	loaded := rules.Load(file)
	check(t, loaded.Problems.Err())
	return loaded.Plain()
}
