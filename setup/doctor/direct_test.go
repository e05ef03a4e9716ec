package doctor

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/setup"
)

// newDirect returns a computer with a direct setup and a server that answers with its name.
func newDirect(t *testing.T) *computer {
	t.Helper()
	p := newComputer(t)
	p.remove("project/.claude/settings.json")
	p.client = "2.1.328"
	target := setup.ForProject(p.project)
	plan, err := setup.Prepare(setup.Options{Target: target, Bin: p.bin, MCP: true, Direct: true, Read: target.ReadFile})
	if err == nil {
		err = plan.Apply(target)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.installServer("guardrails")
	return p
}

// installServer replaces the server's program with a program that only answers a greeting with the given name.
func (p *computer) installServer(name string) {
	p.t.Helper()
	p.remove("bin/guardrails-server")
	p.write("bin/guardrails-server", `#!/bin/sh
echo '{"jsonrpc":"2.0","id":0,"result":{"serverInfo":{"name":"`+name+`"}}}'
`)
	p.chmodFile("bin/guardrails-server", 0o755)
}

func TestHealthyDirectSetupPassesEveryCheck(t *testing.T) {
	list := newDirect(t).examine().Checks
	for name, want := range map[string]string{
		"hook PreToolUse": "calls the server guardrails", "hook UserPromptSubmit": "calls the server guardrails", "hook SessionEnd": "guardrails-stop",
		"server": "it answers within", "programs": "all are of the build", "answer": "guidelines from files",
	} {
		if c := findCheck(t, list, name); c.State != OK || !strings.Contains(c.Detail, want) {
			t.Errorf("%s: %s: %s", name, c.State, c.Detail)
		}
	}
	if Failed(list) {
		t.Errorf("a check failed: %s", shown(list))
	}
}

func TestADirectSetupOfAnOlderVersionIsAWarning(t *testing.T) {
	p := newDirect(t)
	p.edit(`, "last_assistant_message": "${last_assistant_message}", "stop_hook_active": "${stop_hook_active}"`, "")
	p.edit(`, "error": "${error}"`, "")
	list := p.examine().Checks
	for _, name := range []string{"hook Stop", "hook PostToolUseFailure"} {
		c := findCheck(t, list, name)
		if c.State != Warning || !strings.Contains(c.Detail, "so the detectors see no results of calls") || c.Remedy != "run guardrails init --direct" {
			t.Errorf("%s: %s: %s; remedy: %s", name, c.State, c.Detail, c.Remedy)
		}
	}
	if c := findCheck(t, list, "hook PostToolUse"); c.State != OK {
		t.Errorf("%s: %s", c.State, c.Detail)
	}
}

func TestDirectSetupThatAllowsOrBlocksEverythingIsBroken(t *testing.T) {
	input := `, "tool_input": "${tool_input}"},
            "timeout": 10,
            "onFailure": "block"`
	for _, c := range []struct {
		name               string
		breaks             func(p *computer)
		link, want, remedy string
	}{
		{
			"a client that lets calls run", func(p *computer) { p.client = "2.1.327" }, "hook PreToolUse",
			"Claude Code 2.1.327 lets calls run unchecked when the server does not answer",
			"update Claude Code to 2.1.328 or later, or run guardrails init",
		},
		{"onFailure lets calls run", func(p *computer) { p.edit(input, strings.Replace(input, `"block"`, `"continue"`, 1)) }, "hook PreToolUse", "has no onFailure", "run guardrails init --direct"},
		{"another input", func(p *computer) { p.edit(input, strings.Replace(input, "${tool_input}", "{}", 1)) }, "hook PreToolUse", "its input differs from what guardrails init writes", "run guardrails init --direct"},
		{"an if that leaves calls out", func(p *computer) { p.edit(input, input+`, "if": "Read(docs/*)"`) }, "hook PreToolUse", `its "if" leaves calls out`, "run guardrails init --direct"},
		{"a direct entry for the end of the session", func(p *computer) {
			p.edit(`"type": "command",
            "command": "`+p.bin+`/guardrails-stop"`, `"type": "mcp_tool", "server": "guardrails", "tool": "guardrails_hook"`)
		}, "hook SessionEnd", "but at this event the client is not connected to it", "run guardrails init --direct"},
		{"no server entry", func(p *computer) { p.remove(mcpFile) }, "server", "the server of guardrails is not installed, so the client stops every tool call", "run guardrails init --direct"},
		{"another program", func(p *computer) { p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "/bin/other"}}}`) }, "server", "which is another program", "run guardrails init --direct"},
		{"the server is missing", func(p *computer) { p.remove("bin/guardrails-server") }, "server", "so the server cannot start", "run guardrails init --direct"},
		{"a disabled server", func(p *computer) {
			p.write("project/.claude/settings.local.json", `{"disabledMcpjsonServers": ["guardrails"]}`)
		}, "server", "disabledMcpjsonServers keeps the client from starting the server", "remove guardrails from that list"},
		{"a server without approval", func(p *computer) { p.edit(`"enabledMcpjsonServers": ["guardrails"]`, `"enabledMcpjsonServers": []`) }, "server", "no settings file allows the client to start the server", "answer yes"},
		{"a server switched off in the client", func(p *computer) {
			p.write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"disabledMcpServers": ["guardrails"]}}}`, p.project))
		}, "server", "the server is switched off for this project, so the client stops every tool call", "/mcp"},
		{"another server with its name", func(p *computer) {
			p.write("home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"mcpServers": {"guardrails": {"command": "/bin/cat"}}}}}`, p.project))
		}, "server", "another server of this project has the name guardrails", "/mcp"},
		{"a server that does not start", func(p *computer) { p.write("bin/guardrails-server", "#!/bin/sh\nexit 3\n") }, "server", "it does not start: exit status 3", "install all programs of guardrails into one folder, then run guardrails init --direct"},
		{"an answer of another server", func(p *computer) { p.installServer("someone") }, "server", "the program that answers is not the guardrails server", "install all programs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newDirect(t)
			c.breaks(p)
			got := findCheck(t, p.examine().Checks, c.link)
			if got.State != Broken || !strings.Contains(got.Detail, c.want) || !strings.Contains(got.Remedy, c.remedy) {
				t.Errorf("%s: %s -> %s", got.State, got.Detail, got.Remedy)
			}
		})
	}
}

func TestProvingADirectSetupNeedsAClient(t *testing.T) {
	p := newDirect(t)
	p.client = ""
	for _, c := range p.examine().Prove(t.Context()) {
		if c.State != Broken || !strings.Contains(c.Detail, "no client is installed, and the hooks of this project run only") {
			t.Errorf("%s: %s: %s", c.Name, c.State, c.Detail)
		}
	}
}

func TestDirectSessionWithoutHooksPointsToItsServer(t *testing.T) {
	p := newDirect(t)
	p.write("home/.claude/projects/p/session-1.jsonl", transcript(p.project, time.Now().Add(time.Minute), true))
	for _, c := range p.examine().Checks {
		if strings.HasPrefix(c.Name, "session ") && strings.HasPrefix(c.Remedy, "to see whether the session's server is connected") && c.Detail == "no hook has been seen in this session" {
			return
		}
	}
	t.Error("the session without hooks is not reported")
}
