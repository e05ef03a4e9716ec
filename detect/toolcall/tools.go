package toolcall

import (
	"bytes"
	"strings"

	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// maxPathSize is the longest path that is looked at; no system takes a longer one.
const maxPathSize = 32 << 10

// tool analyses a call by the tool's name.
func (a *analyzer) tool(name string, input []byte) {
	args, err := document.Members(input)
	if err != nil || !isObject(input) {
		a.opaque(effect.Span{}, "the arguments of "+shorten(name)+" are not a JSON object, so it is not known what it would do", unknownUse(name)...)
		return
	}
	t := &toolCall{name: name, args: args, sc: &scope{cwd: a.env.Cwd}}
	switch name {
	case "Bash", "Monitor":
		a.eachCommand(t, func(command string) { a.bash(command) })
	case "PowerShell":
		a.eachCommand(t, func(command string) { a.powershell(command) })
	case among(name, "Write Edit MultiEdit NotebookEdit Replace"):
		a.fileTool(t, func(v value, span effect.Span) { a.write(v, t.sc, span) })
	case "Read", "NotebookRead", "View":
		a.fileTool(t, func(v value, span effect.Span) { a.read(v, t.sc, span) })
	case "Grep":
		a.grepTool(t)
	case "Glob", "LS":
		a.listTool(t)
	case "WebFetch":
		for _, url := range t.texts("url") {
			a.fetchURL(url, t.sc, toolSpan("url", url))
		}
		a.unlessFound(t, "url")
	default:
		a.otherTool(t)
	}
}

func isObject(input []byte) bool {
	input = bytes.TrimLeft(input, " \n\t\r")
	return len(input) > 0 && input[0] == '{'
}

// otherTool analyses the tools that touch no file by themselves, and those that are not known.
func (a *analyzer) otherTool(t *toolCall) {
	switch t.name {
	case "Agent", "Task":
		a.agentTool(t)
	case "Skill":
		a.use(t, "skill", "command")
	case "SlashCommand":
		a.use(t, "command")
	case "WebSearch":
		a.use(t, "query")
	case "ExitPlanMode", "exit_plan_mode":
		a.use(t).Note("presents a plan", effect.PlanComplete)
	case "ExitWorktree":
		e := a.use(t, "action")
		if e.Name == "remove" && t.isTrue("discard_changes") {
			e.Note("removes the worktree with the changes in it", effect.DiscardChanges)
		}
	case "Config":
		e := a.use(t, "setting")
		if strings.HasPrefix(e.Name, "permissions") && t.given("value") {
			e.Note("changes the client's own permissions", effect.DefenseOff)
		}
		if t.given("value") && switchesHooks(e.Name) {
			e.Note("changes what calls the guard ("+e.Name+")", effect.GuardTamper)
		}
	case "KillShell", "KillBash", "TaskStop":
		a.use(t, "shell_id", "task_id")
	case "BashOutput", "AgentOutputTool", "TaskOutput":
		a.use(t, "bash_id", "task_id", "agentId")
	case "CronCreate", "ScheduleWakeup", "SendMessage":
		a.promptTool(t)
	case among(t.name, "TodoWrite TodoRead AskUserQuestion EnterPlanMode EnterWorktree TaskCreate TaskUpdate TaskGet "+
		"TaskList ToolSearch StructuredOutput ListMcpResourcesTool TeamCreate TeamDelete CronDelete CronList "+
		"LSP Brief Sleep"):
		a.use(t)
	default:
		a.foreignTool(t)
	}
}

// unlessFound notes that a tool lacks the one argument that says what it does.
func (a *analyzer) unlessFound(t *toolCall, name string) {
	if len(a.effects) == 0 || t.hides(name) {
		a.opaque(effect.Span{}, t.name+" has no "+name+" that is text, so it is not known what it would do", unknownUse(t.name)...)
	}
}

// unknownUse are the events of a call of which not even the subject is known: only reading may pass like that.
func unknownUse(tool string) []effect.Event {
	if tool == among(tool, "Bash Monitor PowerShell Write Edit MultiEdit NotebookEdit Replace") {
		return []effect.Event{effect.OpaqueExecution}
	}
	return nil
}

func (a *analyzer) eachCommand(t *toolCall, analyse func(string)) {
	commands := t.texts("command")
	for _, command := range commands {
		analyse(command)
	}
	if len(commands) == 0 || t.hides("command") {
		a.unlessFound(t, "command")
	}
}

// fileTool gives the path of a tool that works on one file to touch.
func (a *analyzer) fileTool(t *toolCall, touch func(value, effect.Span)) {
	for _, name := range [...]string{"file_path", "notebook_path", "path"} {
		for _, text := range t.texts(name) {
			if v, ok := a.pathArgument(name, text); ok {
				touch(v, toolSpan(name, text))
			}
		}
	}
	a.unlessFound(t, "file_path")
}

// folders are the places that a searching tool looks through: the working folder when it names none.
func (a *analyzer) folders(t *toolCall) []value {
	var out []value
	for _, text := range t.texts("path") {
		if v, ok := a.pathArgument("path", text); ok {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, value{text: a.env.Cwd})
	}
	return out
}

// grepTool reads everything below a folder. What its glob names is noted too if that is a secret.
func (a *analyzer) grepTool(t *toolCall) {
	for _, v := range a.folders(t) {
		a.read(v, t.sc, toolSpan("path", v.text))
		a.effects[len(a.effects)-1].Tree = true
		for _, glob := range t.texts("glob") {
			if v.text += "/" + glob; isSecret(glob) && len(v.text) <= maxPathSize {
				v.glob = strings.ContainsAny(glob, "*?[{")
				a.read(v, t.sc, toolSpan("glob", glob))
			}
		}
	}
}

// listTool only names files: nothing of their content is seen.
func (a *analyzer) listTool(t *toolCall) {
	places := a.folders(t)
	for _, pattern := range t.texts("pattern") {
		if v, ok := a.pathArgument("pattern", pattern); ok && isAbsolute(slashes(v.text)) {
			v.glob = true
			places = append(places, v)
		}
	}
	for _, v := range places {
		effect := a.place(v, t.sc).effect(effect.Use, toolSpan("path", v.text))
		effect.Tree = true
		a.emit(effect)
	}
}

// use notes a tool that has no effect of another kind; its subject is the first of the arguments that is given.
func (a *analyzer) use(t *toolCall, subjects ...string) *effect.Effect {
	effect := effect.Effect{Kind: effect.Use, Span: effect.Span{Text: t.name}}
	for _, name := range subjects {
		if texts := t.texts(name); len(texts) > 0 {
			effect.Name, effect.Span = shorten(texts[len(texts)-1]), toolSpan(name, texts[len(texts)-1])
			break
		}
	}
	return a.emit(effect)
}

// agentTool starts an agent. What it is told is data; what it does comes back as calls of its own.
func (a *analyzer) agentTool(t *toolCall) {
	types := t.texts("subagent_type")
	if len(types) == 0 {
		types = []string{"general-purpose"}
	}
	for _, agent := range types {
		e := a.emit(effect.Effect{Kind: effect.Use, Name: shorten(agent), Span: toolSpan("subagent_type", agent)})
		if strings.Contains(strings.ToLower(agent), "devops") {
			e.Note("starts the agent "+e.Name+", which changes running infrastructure", effect.DevopsInvoked)
		}
	}
}

// fetchURL notes what is got from an address; a file's address is that file.
func (a *analyzer) fetchURL(url string, sc *scope, span effect.Span) {
	if path, ok := fileURL(url); ok {
		if v, ok := a.pathArgument("url", path); ok {
			a.read(v, sc, span)
		}
		return
	}
	a.emit(effect.Effect{Kind: effect.Fetch, Host: urlHost(url), Span: span})
}

// urlHost is the host of an address as a browser reads it, for which a backslash ends the host too.
func urlHost(url string) string {
	return shorten(hostOf(strings.ReplaceAll(strings.TrimSpace(url), `\`, "/")))
}
