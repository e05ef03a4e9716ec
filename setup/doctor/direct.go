package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"guardrails/internal/product"
	"guardrails/setup"
	"guardrails/setup/claude"
	"guardrails/setup/jsontext"
)

// In a direct installation, the client calls our server for each hook instead of starting a program. If the server does
// not answer, the client stops every tool call. So some problems that are only warnings in the usual installation are
// errors in a direct installation.

// direct() reports whether the client calls the server to check tool calls.
func (x *Examination) direct() bool {
	return slices.ContainsFunc(x.entries(), func(e setup.Entry) bool { return e.Event == "PreToolUse" && e.Direct() })
}

// runInit returns the command that repairs our entries.
func (x *Examination) runInit() string {
	switch {
	case x.direct():
		return "run guardrails init --direct"
	case x.hooksOnlyIn(setup.User):
		return "run guardrails init --user"
	case x.hooksOnlyIn(setup.Local):
		return "run guardrails init --local"
	}
	return "run guardrails init"
}

func (x *Examination) installAgain() string {
	return "install all programs of guardrails into one folder, then " + x.runInit()
}

// withoutServer returns the state of a check that did not find a server.
func (x *Examination) withoutServer() State {
	if x.direct() {
		return Broken
	}
	return Warning
}

func (x *Examination) meanwhile() string {
	if x.direct() {
		return "the client stops every tool call"
	}
	return "each hook starts the guardrails program"
}

func (x *Examination) checkCall(c Check, ours []setup.Entry) Check {
	e := &ours[0]
	place := fmt.Sprintf("%s:%d: ", e.File, e.Line)
	c.Detail = place
	decides := e.Event == "PreToolUse"
	switch {
	case e.Event == "SessionStart" || e.Event == "SessionEnd":
		c.Detail += "calls the server, but at this event the client is not connected to it"
	case decides && e.OnFailure != "block":
		c.Detail += "has no onFailure, so calls run unchecked when the server does not answer"
	case decides && x.client != nil && !x.client.Version.Knows(claude.DirectHooks):
		c.Detail += "Claude Code " + x.client.Version.String() + " lets calls run unchecked when the server does not answer"
		c.Remedy = "update Claude Code to 2.1.328 or later, or run guardrails init, which registers programs as hooks instead"
	case e.LacksResults():
		c.State = Warning
		c.Detail += "an older guardrails wrote it, so the detectors see no results of calls and no answers of the model"
	case !reflect.DeepEqual(e.Input, wantedInput(e)):
		c.Detail += "its input differs from what guardrails init writes, so calls may be checked incorrectly"
	case len(ours) > 1:
		return twice(c, ours)
	default:
		return Check{Name: c.Name, State: OK, Detail: "calls the server " + e.Server}
	}
	return c
}

// wantedInput returns the input that "guardrails init" writes.
func wantedInput(e *setup.Entry) map[string]any {
	for _, want := range setup.Wanted(setup.Options{Direct: true, Strict: e.Strict()}) {
		if want.Event == e.Event {
			return want.Input
		}
	}
	return nil
}

// serverProgram returns the path of the program that the client starts as the project's server, or "".
func (x *Examination) serverProgram() string {
	t, n := serverEntry(x.root)
	if n == nil {
		return ""
	}
	command, _ := t.String(n.Member("command"))
	return x.locate(command)
}

// onlyServer returns the text of a project's .mcp.json that contains only our server.
func onlyServer(root string) string {
	t, n := serverEntry(root)
	if n == nil {
		return "{}"
	}
	return `{"mcpServers":{"` + product.MCPServer + `":` + t.Raw(n) + `}}`
}

// serverEntry returns a project's .mcp.json and the entry of our server in it, or nil.
func serverEntry(root string) (*jsontext.Text, *jsontext.Node) {
	t, err := readServers(setup.ForProject(root).Server)
	if err != nil {
		return nil, nil
	}
	return t, t.At("mcpServers", product.MCPServer)
}

// startTime is how long the server may take to start. The client itself waits longer.
const startTime = 5 * time.Second

// checkConnection starts the server as the client does and asks for the name of the server. If a person has switched
// the server off, checkConnection only reports this.
func (x *Examination) checkConnection(starts string) {
	if why := switchedOff(x.Env, x.root); why != "" {
		x.add(linkServer, Broken, why+", so "+x.meanwhile(),
			"switch it on again under /mcp in a session of this project")
		return
	}
	begin := x.Now()
	if err := greetServer(x.serverProgram(), x.root); err != nil {
		x.add(linkServer, Broken, starts+": "+err.Error()+", so "+x.meanwhile(), x.installAgain())
		return
	}
	x.add(linkServer, OK,
		fmt.Sprintf("%s; it answers within %.0f ms of its start", starts,
			float64(x.Now().Sub(begin).Microseconds())/1000), "")
}

// The constant "greeting" is the first message that a client sends.
const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"guardrails-doctor","version":"1"}}}` + "\n"

// greetServer starts the server in a project and sends the greeting.
func greetServer(program, root string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "mcp")
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = root, bytes.NewReader([]byte(greeting)), time.Second
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	line, _, _ := bytes.Cut(out, []byte("\n"))
	var r struct {
		Result struct{ ServerInfo struct{ Name string } }
	}
	if json.Unmarshal(line, &r) != nil || r.Result.ServerInfo.Name != product.MCPServer {
		return errors.New("the program that answers is not the guardrails server")
	}
	return nil
}

// switchedOff returns the place where a person disabled or replaced the server, or "". The client records this in its
// own file.
func switchedOff(env func(string) string, root string) string {
	dir := env(product.VariableClientDir)
	if dir == "" {
		dir = product.Home(env)
	}
	path := filepath.Join(dir, product.ClientState)
	text, err := setup.ReadFile(path)
	if err != nil {
		return "" // the client creates the file in its first session
	}
	var state struct {
		Projects map[string]struct {
			Off     []string                   `json:"disabledMcpServers"`
			Servers map[string]json.RawMessage `json:"mcpServers"`
		} `json:"projects"`
	}
	if json.Unmarshal(text, &state) != nil {
		return ""
	}
	project := state.Projects[root]
	_, other := project.Servers[product.MCPServer]
	switch {
	case slices.Contains(project.Off, product.MCPServer):
		return path + ": the server is switched off for this project"
	case other:
		return path + ": another server of this project has the name " + product.MCPServer
	}
	return ""
}
