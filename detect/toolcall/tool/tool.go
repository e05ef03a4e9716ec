// Package tool analyses the calls of tools: the client's own tools for files, agents and the web, and tools of MCP servers.
package tool

import (
	"bytes"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// promptTool is a tool of the client that makes prompts: at a time, or for another agent.
func promptTool(a *trace.Trace, t *toolCall) {
	e := use(a, t)
	for _, name := range [...]string{"prompt", "message", "content", "text", "reason"} {
		for _, text := range t.texts(name) {
			if self.SpeaksToGuard(text) {
				e.Note("answers the guard's question in the place of a person", effect.GuardTamper)
			}
		}
	}
}

// maxPathSize is the longest path that is looked at; no system takes a longer one.
const maxPathSize = 32 << 10

// Analyze analyses a call by the tool's name.
func Analyze(a *trace.Trace, name string, input []byte) {
	args, err := document.Members(input)
	if err != nil || !isObject(input) {
		a.Opaque(effect.Span{}, "the arguments of "+trace.Shorten(name)+" are not a JSON object, so it is not known what it would do", unknownUse(name)...)
		return
	}
	t := &toolCall{name: name, args: args, sc: &trace.Scope{Cwd: a.Env.Cwd}}
	switch name {
	case "Bash", "Monitor":
		eachCommand(a, t, func(command string) { shell.Bash(a, command) })
	case "PowerShell":
		eachCommand(a, t, func(command string) { powershell.Run(a, command) })
	case words.Among(name, "Write Edit MultiEdit NotebookEdit Replace"):
		fileTool(a, t, func(v trace.Value, span effect.Span) { a.Write(v, t.sc, span) })
	case "Read", "NotebookRead", "View":
		fileTool(a, t, func(v trace.Value, span effect.Span) { a.Read(v, t.sc, span) })
	case "Grep":
		grepTool(a, t)
	case "Glob", "LS":
		listTool(a, t)
	case "WebFetch":
		for _, url := range t.texts("url") {
			fetchURL(a, url, t.sc, toolSpan("url", url))
		}
		unlessFound(a, t, "url")
	default:
		otherTool(a, t)
	}
}

func isObject(input []byte) bool {
	input = bytes.TrimLeft(input, " \n\t\r")
	return len(input) > 0 && input[0] == '{'
}

// otherTool analyses the tools that touch no file by themselves, and those that are not known.
func otherTool(a *trace.Trace, t *toolCall) {
	switch t.name {
	case "Agent", "Task":
		agentTool(a, t)
	case "Skill":
		use(a, t, "skill", "command")
	case "SlashCommand":
		use(a, t, "command")
	case "WebSearch":
		use(a, t, "query")
	case "ExitPlanMode", "exit_plan_mode":
		use(a, t).Note("presents a plan", effect.PlanComplete)
	case "ExitWorktree":
		e := use(a, t, "action")
		if e.Name == "remove" && t.isTrue("discard_changes") {
			e.Note("removes the worktree with the changes in it", effect.DiscardChanges)
		}
	case "Config":
		e := use(a, t, "setting")
		if strings.HasPrefix(e.Name, "permissions") && t.given("value") {
			e.Note("changes the client's own permissions", effect.DefenseOff)
		}
		if t.given("value") && self.SwitchesHooks(e.Name) {
			e.Note("changes what calls the guard ("+e.Name+")", effect.GuardTamper)
		}
	case "KillShell", "KillBash", "TaskStop":
		use(a, t, "shell_id", "task_id")
	case "BashOutput", "AgentOutputTool", "TaskOutput":
		use(a, t, "bash_id", "task_id", "agentId")
	case "CronCreate", "ScheduleWakeup", "SendMessage":
		promptTool(a, t)
	case words.Among(t.name, "TodoWrite TodoRead AskUserQuestion EnterPlanMode EnterWorktree TaskCreate TaskUpdate TaskGet "+
		"TaskList ToolSearch StructuredOutput ListMcpResourcesTool TeamCreate TeamDelete CronDelete CronList "+
		"LSP Brief Sleep"):
		use(a, t)
	default:
		foreignTool(a, t)
	}
}

// unlessFound notes that a tool lacks the one argument that says what it does.
func unlessFound(a *trace.Trace, t *toolCall, name string) {
	if len(a.Effects) == 0 || t.hides(name) {
		a.Opaque(effect.Span{}, t.name+" has no "+name+" that is text, so it is not known what it would do", unknownUse(t.name)...)
	}
}

// unknownUse are the events of a call of which not even the subject is known: only reading may pass like that.
func unknownUse(tool string) []effect.Event {
	if tool == words.Among(tool, "Bash Monitor PowerShell Write Edit MultiEdit NotebookEdit Replace") {
		return []effect.Event{effect.OpaqueExecution}
	}
	return nil
}

func eachCommand(a *trace.Trace, t *toolCall, analyse func(string)) {
	commands := t.texts("command")
	for _, command := range commands {
		analyse(command)
	}
	if len(commands) == 0 || t.hides("command") {
		unlessFound(a, t, "command")
	}
}

// fileTool gives the path of a tool that works on one file to touch.
func fileTool(a *trace.Trace, t *toolCall, touch func(trace.Value, effect.Span)) {
	for _, name := range [...]string{"file_path", "notebook_path", "path"} {
		for _, text := range t.texts(name) {
			if v, ok := pathArgument(a, name, text); ok {
				touch(v, toolSpan(name, text))
			}
		}
	}
	unlessFound(a, t, "file_path")
}

// folders are the places that a searching tool looks through: the working folder when it names none.
func folders(a *trace.Trace, t *toolCall) []trace.Value {
	var out []trace.Value
	for _, text := range t.texts("path") {
		if v, ok := pathArgument(a, "path", text); ok {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, trace.Value{Text: a.Env.Cwd})
	}
	return out
}

// grepTool reads everything below a folder. What its glob names is noted too if that is a secret.
func grepTool(a *trace.Trace, t *toolCall) {
	for _, v := range folders(a, t) {
		a.Read(v, t.sc, toolSpan("path", v.Text))
		a.Effects[len(a.Effects)-1].Tree = true
		for _, glob := range t.texts("glob") {
			if v.Text += "/" + glob; trace.IsSecret(glob) && len(v.Text) <= maxPathSize {
				v.Glob = strings.ContainsAny(glob, "*?[{")
				a.Read(v, t.sc, toolSpan("glob", glob))
			}
		}
	}
}

// listTool only names files: nothing of their content is seen.
func listTool(a *trace.Trace, t *toolCall) {
	places := folders(a, t)
	for _, pattern := range t.texts("pattern") {
		if v, ok := pathArgument(a, "pattern", pattern); ok && trace.IsAbsolute(trace.Slashes(v.Text)) {
			v.Glob = true
			places = append(places, v)
		}
	}
	for _, v := range places {
		effect := a.Place(v, t.sc).Effect(effect.Use, toolSpan("path", v.Text))
		effect.Tree = true
		a.Emit(effect)
	}
}

// use notes a tool that has no effect of another kind; its subject is the first of the arguments that is given.
func use(a *trace.Trace, t *toolCall, subjects ...string) *effect.Effect {
	effect := effect.Effect{Kind: effect.Use, Span: effect.Span{Text: t.name}}
	for _, name := range subjects {
		if texts := t.texts(name); len(texts) > 0 {
			effect.Name, effect.Span = trace.Shorten(texts[len(texts)-1]), toolSpan(name, texts[len(texts)-1])
			break
		}
	}
	return a.Emit(effect)
}

// agentTool starts an agent. What it is told is data; what it does comes back as calls of its own.
func agentTool(a *trace.Trace, t *toolCall) {
	types := t.texts("subagent_type")
	if len(types) == 0 {
		types = []string{"general-purpose"}
	}
	for _, agent := range types {
		e := a.Emit(effect.Effect{Kind: effect.Use, Name: trace.Shorten(agent), Span: toolSpan("subagent_type", agent)})
		if strings.Contains(strings.ToLower(agent), "devops") {
			e.Note("starts the agent "+e.Name+", which changes running infrastructure", effect.DevopsInvoked)
		}
	}
}

// fetchURL notes what is got from an address; a file's address is that file.
func fetchURL(t *trace.Trace, url string, sc *trace.Scope, span effect.Span) {
	if path, ok := fileURL(url); ok {
		if v, ok := pathArgument(t, "url", path); ok {
			t.Read(v, sc, span)
		}
		return
	}
	t.Emit(effect.Effect{Kind: effect.Fetch, Host: trace.URLHost(url), Span: span})
}
