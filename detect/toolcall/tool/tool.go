// Package tool analyzes calls of tools: the client's own tools for commands, files, agents and the web, and the tools
// of MCP servers. Start with Analyze.
package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/powershell"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// promptTool analyzes a call of a tool that sends a prompt later, or sends it to another agent.
func promptTool(t *trace.Trace, call *toolCall) {
	e := use(t, call)
	for _, name := range [...]string{"prompt", "message", "content", "text", "reason"} {
		for _, text := range call.texts(name) {
			if self.SpeaksToGuard(text) {
				e.Note(self.AnswersForPerson, effect.GuardTamper)
			}
		}
	}
}

// maxPathSize is the maximum length in bytes of a path that is analyzed. No operating system accepts a longer path.
const maxPathSize = 32 << 10

// Analyze adds the effects of a call of the tool with this name and input.
func Analyze(t *trace.Trace, name string, input []byte) {
	args, err := document.Members(input)
	if err != nil || !isObject(input) {
		reason := "the arguments of " + trace.Shorten(name) + " are not a JSON object, so its effects are unknown"
		t.Emit(effect.Effect{Kind: effect.Opaque, Reason: reason, Events: eventsIfUnknown(name)})
		return
	}
	call := &toolCall{name: name, args: args, sc: &trace.Scope{Cwd: t.Env.Cwd}}
	switch name {
	case "Bash", "Monitor":
		eachCommand(t, call, func(command string) { Bash(t, command) })
	case "PowerShell":
		eachCommand(t, call, func(command string) { powershell.Run(t, command) })
	case words.Among(name, "Write Edit MultiEdit NotebookEdit Replace"):
		fileTool(t, call, func(v trace.Value, span effect.Span) {
			if t.Write(v, call.sc, span) != "" {
				at := len(t.Effects) - 1
				otherServers(t, call, v)
				noteOwnHooks(t, call)
				switch name {
				case "Write":
					t.NoteReplaced(t.Effects[at].Path, trace.Flow{Known: true})
				case "NotebookEdit":
					noteCell(t, call, v, at)
				}
				noteLater(t, call, v, at)
			}
		})
	case "Read", "NotebookRead", "View":
		fileTool(t, call, func(v trace.Value, span effect.Span) { t.Read(v, call.sc, span) })
	case "Grep":
		grepTool(t, call)
	case "Glob", "LS":
		listTool(t, call)
	case "WebFetch":
		for _, url := range call.texts("url") {
			fetchURL(t, url, call.sc, toolSpan("url", url))
		}
		requireText(t, call, "url")
	default:
		otherTool(t, call)
	}
}

func isObject(input []byte) bool {
	input = document.TrimStart(input)
	return len(input) > 0 && input[0] == '{'
}

// otherTool analyzes calls of unknown tools, and of client tools that do not read or write files, such as Agent and
// WebSearch.
func otherTool(t *trace.Trace, call *toolCall) {
	switch call.name {
	case "Agent", "Task":
		agentTool(t, call)
	case "Skill":
		use(t, call, "skill", "command")
	case "SlashCommand":
		use(t, call, "command")
	case "WebSearch":
		use(t, call, "query")
	case "ExitPlanMode", "exit_plan_mode":
		use(t, call).Note("presents a plan", effect.PlanComplete)
	case "ExitWorktree":
		e := use(t, call, "action")
		if e.Name == "remove" && call.isTrue("discard_changes") {
			e.Note("removes the worktree with the changes in it", effect.DiscardChanges)
		}
	case "Config":
		e := use(t, call, "setting")
		if strings.HasPrefix(e.Name, "permissions") && call.has("value") {
			e.Note("changes the client's own permissions", effect.DefenseOff)
		}
		if call.has("value") && self.DecidesHooks(e.Name) {
			e.Note("changes how the client calls the guard ("+e.Name+")", effect.GuardTamper)
		}
	case "KillShell", "KillBash", "TaskStop":
		use(t, call, "shell_id", "task_id")
	case "BashOutput", "AgentOutputTool", "TaskOutput":
		use(t, call, "bash_id", "task_id", "agentId")
	case "CronCreate", "ScheduleWakeup", "SendMessage":
		promptTool(t, call)
	case words.Among(call.name, "TodoWrite TodoRead AskUserQuestion EnterPlanMode EnterWorktree TaskCreate TaskUpdate "+
		"TaskGet TaskList ToolSearch StructuredOutput ListMcpResourcesTool TeamCreate TeamDelete CronDelete CronList "+
		"LSP Brief Sleep"):
		use(t, call)
	default:
		foreignTool(t, call)
	}
}

// requireText adds an opaque effect if an argument is missing or is not a string. It is for an argument that says what
// the tool does, such as "command" or "file_path".
func requireText(t *trace.Trace, call *toolCall, name string) {
	if len(t.Effects) == 0 || call.hasNonText(name) {
		reason := call.name + " has no " + name + " that is a string, so its effects are unknown"
		t.Emit(effect.Effect{Kind: effect.Opaque, Reason: reason, Events: eventsIfUnknown(call.name)})
	}
}

// eventsIfUnknown returns the events of a call whose arguments cannot be read. There is an event only for a tool that
// runs commands or changes files.
func eventsIfUnknown(tool string) []effect.Event {
	if tool == words.Among(tool, "Bash Monitor PowerShell Write Edit MultiEdit NotebookEdit Replace") {
		return []effect.Event{effect.OpaqueExecution}
	}
	return nil
}

// Bash analyzes a command of the Bash tool.
func Bash(t *trace.Trace, command string) {
	shell.Bash(t, command)
	noteLaterOfShell(t)
}

func eachCommand(t *trace.Trace, call *toolCall, analyze func(string)) {
	commands := call.texts("command")
	for _, command := range commands {
		analyze(command)
	}
	if len(commands) == 0 || call.hasNonText("command") {
		requireText(t, call, "command")
	}
}

// fileTool calls touch() for each path in a call of a tool that works on one file.
func fileTool(t *trace.Trace, call *toolCall, touch func(trace.Value, effect.Span)) {
	for _, name := range [...]string{"file_path", "notebook_path", "path"} {
		for _, text := range call.texts(name) {
			if v, ok := pathArgument(t, name, text); ok {
				touch(v, toolSpan(name, text))
			}
		}
	}
	requireText(t, call, "file_path")
}

// folders() returns the folders that a tool searches. If no argument names a folder, it returns the working folder.
func folders(t *trace.Trace, call *toolCall) []trace.Value {
	var out []trace.Value
	for _, text := range call.texts("path") {
		if v, ok := pathArgument(t, "path", text); ok {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, trace.Value{Text: t.Env.Cwd})
	}
	return out
}

// grepTool adds a read of a folder with everything in it. If the argument "glob" matches files with secrets, it also
// adds a read of these files.
func grepTool(t *trace.Trace, call *toolCall) {
	for _, v := range folders(t, call) {
		t.Read(v, call.sc, toolSpan("path", v.Text))
		t.Effects[len(t.Effects)-1].Tree = true
		for _, glob := range call.texts("glob") {
			found := v
			if found.Text += "/" + glob; trace.IsSecret(glob) && len(found.Text) <= maxPathSize {
				found.Glob = strings.ContainsAny(glob, "*?[{")
				t.Read(found, call.sc, toolSpan("glob", glob))
			}
		}
	}
}

// listTool analyzes a call of a tool that lists the names of files but does not read the files.
func listTool(t *trace.Trace, call *toolCall) {
	places := folders(t, call)
	for _, pattern := range call.texts("pattern") {
		if v, ok := pathArgument(t, "pattern", pattern); ok && trace.IsAbsolute(trace.Slashes(v.Text)) {
			v.Glob = true
			places = append(places, v)
		}
	}
	for _, v := range places {
		effect := t.Place(v, call.sc).Effect(effect.Use, toolSpan("path", v.Text))
		effect.Tree = true
		t.Emit(effect)
	}
}

// use() adds an effect of the kind Use for a call without other effects. The parameter "subjects" has names of
// arguments. The effect gets its name from the first of these arguments that the call has.
func use(t *trace.Trace, call *toolCall, subjects ...string) *effect.Effect {
	effect := effect.Effect{Kind: effect.Use, Span: effect.Span{Text: call.name}}
	for _, name := range subjects {
		if texts := call.texts(name); len(texts) > 0 {
			effect.Name, effect.Span = trace.Shorten(texts[len(texts)-1]), toolSpan(name, texts[len(texts)-1])
			break
		}
	}
	return t.Emit(effect)
}

// agentTool analyzes a call that starts an agent. The prompt is only data, because hooks check each call of the agent.
func agentTool(t *trace.Trace, call *toolCall) {
	types := call.texts("subagent_type")
	if len(types) == 0 {
		types = []string{"general-purpose"}
	}
	for _, agent := range types {
		agent = words.OrElse(strings.TrimSpace(agent), "general-purpose")
		e := t.Emit(effect.Effect{Kind: effect.Use, Name: trace.Shorten(agent), Span: toolSpan("subagent_type", agent)})
		if strings.Contains(strings.ToLower(agent), "devops") {
			e.Note("starts the agent "+e.Name+", which changes running infrastructure", effect.DevopsInvoked)
		}
	}
}

// fetchURL adds a download of a URL. For a URL with the scheme "file", it adds a read of the file.
func fetchURL(t *trace.Trace, url string, sc *trace.Scope, span effect.Span) {
	if path, ok := fileURL(url); ok {
		if v, ok := pathArgument(t, "url", path); ok {
			t.Read(v, sc, span)
		}
		return
	}
	e := t.Emit(effect.Effect{Kind: effect.Fetch, Host: trace.URLHost(url), Span: span})
	program.NoteMetadata(e)
	switch {
	case words.HoldsKey(url):
		e.Note("sends a key to "+e.Host, effect.SecretSend)
	case holdsLogin(url):
		e.Note("sends a password to "+e.Host, effect.SecretAccess)
	}
}

// holdsLogin reports whether the query of an address contains another address with a password, such as
// postgres://user:password@host. Examples in documentation do not count.
func holdsLogin(url string) bool {
	_, query, _ := strings.Cut(words.Replace(url, "%3A", ":", "%3a", ":", "%2F", "/", "%2f", "/", "%40", "@"), "?")
	for _, login := range strings.Split(query, "://")[1:] {
		login, _, known := strings.Cut(login, "@")
		user, password, both := strings.Cut(login, ":")
		plain := strings.ToLower(password)
		if known && both && user != "" && len(password) > 3 && !strings.ContainsAny(login, "/&? ") &&
			!strings.Contains(user, ".") && plain != strings.ToLower(user) && !words.OneOf(plain, "pass password secret pwd") {
			return true
		}
	}
	return false
}
