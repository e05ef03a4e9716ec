package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"guardrails/config/trust"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/ownfiles"
	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/setup"
)

// The numbers of guidelines in the sessions.
const (
	few  = 20
	many = 1000
)

func (s *stage) contests() ([]contest, error) {
	for _, count := range []int{few, many} {
		if err := s.keep(count); err != nil {
			return nil, err
		}
	}
	if err := s.serve(); err != nil {
		return nil, err
	}
	text := strings.Repeat("// parse reads one statement of the text, and whatever stands before it.\nfunc parse(s "+
		"string) (stmt, error) {\n\treturn stmt{}, nil\n}\n", 800)[:100<<10]
	later, err := s.laterPrompt()
	if err != nil {
		return nil, err
	}
	talk, answer, err := s.talking()
	if err != nil {
		return nil, err
	}
	list := []contest{
		s.enforce("Write that is allowed", few, 1.4, "Write", map[string]string{"file_path": s.project + "/src/a.go", "content": "package a\n"}),
		s.enforce("Bash call to parse", few, 1.4, "Bash", map[string]string{"command": "go test ./... && git status | grep foo"}),
		s.denied("refused call", few, 1.4, "Bash", map[string]string{"command": "rm -rf ~"}),
		s.afterCall("Bash call that has run", few, 1.4, "Bash", map[string]string{"command": "git status | grep foo"}),
		s.enforce("Bash call to parse", many, 2, "Bash", map[string]string{"command": "go test ./... && git status | grep foo"}),
		s.denied("blocked Write", many, 2, "Write", map[string]string{"file_path": s.project + "/src/area900/private/a.go", "content": "x"}),
		s.enforce("Write of 100 KB", few, 2, "Write", map[string]string{"file_path": s.project + "/src/a.go", "content": text}),
		s.enforce("here-document of 100 KB", few, 2, "Bash", map[string]string{"command": "cat > src/a.go <<'EOF'\n" + text + "\nEOF\n"}),
		s.looking(),
		s.asking("inject with a server on the socket", "served", 2.5, "guardrails-inject", "UserPromptSubmit"),
		later, talk, answer,
		s.asking("subagent with a server on the socket", "served", 2.5, "guardrails-subagent", "SubagentStart"),
		s.asking("inject that runs the command line", "cold", 12, "guardrails-inject", "UserPromptSubmit"),
		{
			// This user has no store. Otherwise the measured time would include the time to open the store.
			name: "guardrails evaluate without a store", budget: 3, limit: 3 * tolerance, says: "guidelines",
			env:  s.envAt(filepath.Join(s.dir, "nobody"), "warm"),
			argv: []string{filepath.Join(s.bin, "guardrails"), "evaluate", "--agent", "backend", "--action", "implement", "-o", "json"},
		},
	}
	for i := range list {
		list[i].name += ": times an empty Go program"
		if list[i].limit == 0 {
			list[i].limit = list[i].budget
		}
		if err := s.writeInput(&list[i], i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *stage) enforce(what string, count int, budget float64, tool string, input map[string]string) contest {
	payload := s.payload("PreToolUse", sessionOf(count))
	payload["tool_name"], payload["tool_input"], payload["tool_use_id"] = tool, input, "toolu_01"
	return contest{
		name: fmt.Sprintf("enforce, %d guidelines, %s", count, what), budget: budget, stdin: encoded(payload), env: s.env("warm"),
		argv: []string{filepath.Join(s.bin, "guardrails-enforce")},
	}
}

// afterCall returns the contest for the hook that runs after a tool call. This hook checks whether guardrails' own
// files have changed.
func (s *stage) afterCall(what string, count int, budget float64, tool string, input map[string]string) contest {
	payload := s.payload("PostToolUse", sessionOf(count))
	payload["tool_name"], payload["tool_input"], payload["tool_use_id"], payload["duration_ms"] = tool, input, "toolu_01", 5
	c := s.enforce(what, count, budget, tool, input)
	c.stdin = encoded(payload)
	return c
}

// looking() returns the contest for the shell command that checks, before each prompt, whether the programs are
// installed.
func (s *stage) looking() contest {
	c := contest{name: "the shell that looks for the programs", budget: 1.4, env: []string{"PATH=" + s.bin}}
	for _, e := range setup.Wanted(setup.Options{}) {
		if e.Program() == setup.Presence {
			c.argv = []string{"/bin/sh", "-c", e.Command}
		}
	}
	return c
}

func (s *stage) denied(what string, count int, budget float64, tool string, input map[string]string) contest {
	c := s.enforce(what, count, budget, tool, input)
	c.says, c.code = `"permissionDecision":"deny"`, 2
	return c
}

// asking() returns the contest for a hook that requests guidelines.
func (s *stage) asking(name, runtime string, budget float64, binary, event string) contest {
	payload := s.payload(event, "asking")
	payload["prompt"], payload["agent_type"], payload["agent_id"] = "add an endpoint to the API and test it", "backend", "a1"
	if event == "UserPromptSubmit" {
		delete(payload, "agent_type")
		delete(payload, "agent_id")
	}
	return contest{
		name: name, budget: budget, stdin: encoded(payload), env: s.env(runtime), says: "additionalContext",
		argv: []string{filepath.Join(s.bin, binary)},
	}
}

// laterPrompt returns the contest for a later prompt, when the model has already received the guidelines.
func (s *stage) laterPrompt() (contest, error) {
	c := s.asking("inject with a server on the socket, later prompts", "served", 2.5, "guardrails-inject", "UserPromptSubmit")
	said := c.says
	for _, event := range []string{"SessionStart", "UserPromptSubmit"} {
		payload := s.payload(event, "later")
		payload["prompt"], payload["source"] = "add an endpoint to the API", "startup"
		c.stdin, c.says = filepath.Join(s.dir, "later.json"), ""
		if event == "SessionStart" {
			c.says = said
		}
		if err := os.WriteFile(c.stdin, []byte(encoded(payload)), 0o600); err != nil {
			return c, err
		}
		if err := c.check(); err != nil {
			return c, err
		}
		c.stdin = encoded(payload)
	}
	return c, nil
}

// talking() returns two contests: for a typed prompt, and for a final answer. The user of the session has switched on
// all checks of texts: all detectors, the safety gate with many policies, the output guard and the masking of personal
// data on the screen. No model is asked.
func (s *stage) talking() (prompt, answer contest, err error) {
	project, err := s.trusted("detectors: {rumination: note, hyperfocus: note, sycophancy: note, tool_loop: note}\n"+
		"safety: {mode: enforce}\noutput_guard: {mode: enforce}\ndisplay: {mask: on}\n", manyPolicies())
	if err != nil {
		return prompt, answer, err
	}
	env := append(s.env("served"), "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_PROJECT_DIR="+project)
	payload := s.payload("UserPromptSubmit", "talking")
	payload["cwd"], payload["prompt"] = project, "add an endpoint to the API and test it"
	prompt = contest{
		name: "the inject hook, with a server on the socket and with all checks of texts switched on", budget: 2.5,
		stdin: encoded(payload), env: env,
		says: "additionalContext", argv: []string{filepath.Join(s.bin, "guardrails-inject")},
	}
	first := prompt
	if err := s.writeInput(&first, 99); err != nil {
		return prompt, answer, err
	}
	// guardrails-stop looks at an answer only after a prompt in the same session.
	if err := first.check(); err != nil {
		return prompt, answer, err
	}
	payload = s.payload("Stop", "talking")
	payload["cwd"], payload["stop_hook_active"] = project, false
	payload["last_assistant_message"] = "Her SSN is 536-22-8145."
	blocked := contest{
		name: "stop with a blocked answer", stdin: encoded(payload), env: env, says: "third_party_pii",
		argv: []string{filepath.Join(s.bin, "guardrails-stop")},
	}
	if err := s.writeInput(&blocked, 98); err != nil {
		return prompt, answer, err
	}
	if err := blocked.check(); err != nil {
		return prompt, answer, err
	}
	payload["last_assistant_message"] = "The endpoint is there, because the router had a free path. See routes.go:12."
	answer = contest{
		name: "the stop hook, with a server on the socket and with all checks of texts switched on", budget: 2.5,
		stdin: encoded(payload), env: env,
		argv: []string{filepath.Join(s.bin, "guardrails-stop")},
	}
	return prompt, answer, nil
}

// manyPolicies returns a policy file with 500 rules, none of which applies.
func manyPolicies() string {
	text := strings.Builder{}
	text.WriteString("version: 1\nrules:\n")
	for i := range 500 {
		fmt.Fprintf(&text, "  - {name: rule_%d, when: {message_contains: [secret %d, hidden %d]}, actions: [{type: override_safety, action: HOLD}]}\n",
			i, i, i)
	}
	return text.String()
}

// trusted() creates another project with the given settings and policies. A person has marked the project as trusted.
func (s *stage) trusted(settings, policies string) (string, error) {
	project := filepath.Join(s.dir, "trusted")
	file := filepath.Join(project, ".claude", "guardrails.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(project, product.PoliciesFile), []byte(policies), 0o600); err != nil {
		return "", err
	}
	hash, err := trust.Hash(project)
	if err != nil {
		return "", err
	}
	env := func(name string) string { return map[string]string{"HOME": s.home()}[name] }
	return project, trust.Trust(env, project, hash, time.Now())
}

func (s *stage) payload(event, id string) map[string]any {
	return map[string]any{
		"session_id": id, "transcript_path": s.home() + "/t.jsonl", "cwd": s.project, "permission_mode": "default", "hook_event_name": event,
	}
}

func encoded(payload map[string]any) string {
	text, err := json.Marshal(payload)
	if err != nil {
		return ""
	}
	return string(text)
}

// writeInput writes the input of a process to a file. The process then reads this file as its stdin.
func (s *stage) writeInput(c *contest, number int) error {
	if c.stdin == "" {
		return nil
	}
	file := filepath.Join(s.dir, fmt.Sprintf("input-%d.json", number))
	text := c.stdin
	c.stdin = file
	return os.WriteFile(file, []byte(text), 0o600)
}

func sessionOf(count int) string { return fmt.Sprintf("session-%d", count) }

// keep() writes a session cache that contains the given number of guidelines ("count"). The guidelines come from the
// core pack. If the core pack has fewer guidelines than this, the function also writes restrictions for folders named
// src/areaN.
func (s *stage) keep(count int) error {
	pack, err := rules.Pack("core")
	if err != nil {
		return err
	}
	list := pack.Plain()
	list = list[:min(count, len(list))]
	for i := len(list); i < count; i++ {
		list = append(list, restriction(i))
	}
	doc, err := cache.Encode(&cache.Body{
		Layers: []cache.Layer{{Context: guideline.Context{Agent: "backend"}, Guidelines: list}}, TTL: cache.MaxTTL, Source: "files",
	})
	if err != nil {
		return err
	}
	env := func(name string) string {
		return map[string]string{"HOME": s.home(), "XDG_RUNTIME_DIR": s.runtime("warm")}[name]
	}
	dir, err := private.Runtime(env)
	if err != nil {
		return err
	}
	places := ownfiles.Places(env, filepath.Join(s.bin, "guardrails-enforce"), s.project)
	if err := ownfiles.Start(dir, product.StateDir(env), sessionOf(count), places); err != nil {
		return err
	}
	name := session.CacheName(session.Key(sessionOf(count), ""))
	if err := cache.Seal(doc, time.Now().Add(-time.Second), dir.KeyOf(name)); err != nil {
		return err
	}
	return dir.Write(name, doc)
}

func restriction(i int) guideline.Guideline {
	area := fmt.Sprintf("src/area%d", i)
	return guideline.Guideline{
		ID: fmt.Sprintf("extra-%d", i), Name: "Extra", Enabled: true, Category: guideline.Security, Priority: 300 + i%400,
		Condition: guideline.Condition{Paths: []string{area + "/*"}, Agents: []string{"backend"}},
		Action: guideline.Action{
			Type: guideline.ToolRestriction, Instruction: "Others work here.",
			ToolsDenied: []string{"Write(" + area + "/private/*)"},
		},
	}
}
