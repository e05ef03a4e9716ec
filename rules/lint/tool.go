package lint

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// clientTools are the names under which the client's own tools are called.
func clientTools() []string {
	return []string{
		"Agent", "AgentOutputTool", "AskUserQuestion", "Bash", "BashOutput", "Brief", "Config", "CronCreate", "CronDelete",
		"CronList", "Edit", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash",
		"KillShell", "LS", "LSP", "ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead",
		"PowerShell", "Read", "ReadMcpResourceTool", "Replace", "ScheduleWakeup", "SendMessage", "Skill", "SlashCommand", "Sleep",
		"StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate",
		"TeamCreate", "TeamDelete", "TodoRead", "TodoWrite", "ToolSearch", "View", "WebFetch", "WebSearch", "Write",
		"exit_plan_mode",
	}
}

// otherNames are words that people use for the client's tools.
func otherName(name string) string {
	switch document.Plain(name) {
	case "shell", "sh", "zsh", "terminal", "exec", "execute", "command", "run", "run_shell_command", "cmd":
		return "Bash"
	case "pwsh":
		return "PowerShell"
	case "create", "save", "delete", "remove", "write_file", "writefile":
		return "Write"
	case "modify", "update", "replace_in_file", "str_replace", "edit_file", "editfile", "apply_patch":
		return "Edit"
	case "read_file", "readfile", "cat", "open":
		return "Read"
	case "fetch", "http", "curl", "browse", "web_fetch":
		return "WebFetch"
	case "web_search":
		return "WebSearch"
	case "search", "rg", "ripgrep":
		return "Grep"
	case "find", "list_files":
		return "Glob"
	case "subagent", "delegate":
		return "Agent"
	case "notebook":
		return "NotebookEdit"
	}
	return ""
}

// toolFlaws finds a name that no tool has.
func toolFlaws(name string) []flaw {
	switch {
	case strings.HasPrefix(name, "mcp__"):
		return nil
	case strings.Contains(name, "*"):
		return starFlaws(name)
	case slices.Contains(clientTools(), name):
		return nil
	case strings.HasPrefix(name, "mcp_") || strings.HasPrefix(name, "mcp-"):
		return []flaw{{Error, "names no tool: those of MCP servers begin with two underscores on each side", "write mcp__server__tool"}}
	}
	meant := otherName(name)
	if meant == "" {
		meant = nearest(name, clientTools())
	}
	severity, remedy := didYouMean(meant, "check the name; tools of MCP servers are written mcp__server__tool")
	return []flaw{{severity, fmt.Sprintf("names the tool %q, which the client does not have", name), remedy}}
}

// starFlaws finds a wildcard that is the name of no tool at all. What may be an MCP server's tool is left alone.
func starFlaws(name string) []flaw {
	head, _, _ := headOf(name)
	const servers = "mcp__"
	if n := min(len(head), len(servers)); head[:n] == servers[:n] {
		return nil
	}
	pattern, err := pattern.CompileTool(name)
	if err != nil || slices.ContainsFunc(clientTools(), pattern.MatchTool) {
		return nil
	}
	return []flaw{{Warning, "is the name of no tool that the client has", "check the name; tools of MCP servers are written mcp__server__tool"}}
}
