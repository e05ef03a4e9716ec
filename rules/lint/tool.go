package lint

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

func clientTools() []string {
	return []string{
		"Agent", "AgentOutputTool", "AskUserQuestion", "Bash", "BashOutput", "Brief", "Config", "CronCreate", "CronDelete",
		"CronList", "Edit", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash",
		"KillShell", "LS", "LSP", "ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit", "NotebookRead",
		"PowerShell", "Read", "ReadMcpResourceTool", "Replace", "ScheduleWakeup", "SendMessage", "Skill",
		"SlashCommand", "Sleep",
		"StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate",
		"TeamCreate", "TeamDelete", "TodoRead", "TodoWrite", "ToolSearch", "View", "WebFetch", "WebSearch", "Write",
		"exit_plan_mode",
	}
}

// otherName returns the name that the client has for a tool. The parameter is a name that people often use for this
// tool, such as "shell" for Bash. For any other name, otherName returns "".
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

// toolFlaws returns a flaw if no tool has the given name.
func toolFlaws(name string) []flaw {
	switch {
	case strings.HasPrefix(name, "mcp__"):
		return nil
	case strings.Contains(name, "*"):
		return starFlaws(name)
	case slices.Contains(clientTools(), name):
		return nil
	case strings.HasPrefix(name, "mcp_") || strings.HasPrefix(name, "mcp-"):
		return []flaw{{
			Error, "is not a tool name: MCP tools have two underscores before and after the server's name",
			"write mcp__server__tool",
		}}
	}
	meant := otherName(name)
	if meant == "" {
		meant = nearest(name, clientTools())
	}
	severity, remedy := didYouMean(meant, "check the name; MCP tools are written mcp__server__tool")
	return []flaw{{severity, fmt.Sprintf("names the tool %q, which the client does not have", name), remedy}}
}

// starFlaws returns a flaw if a wildcard matches no tool. It accepts a wildcard that may match an MCP tool.
func starFlaws(name string) []flaw {
	head, _, _ := headOf(name)
	const servers = "mcp__"
	if n := min(len(head), len(servers)); head[:n] == servers[:n] {
		return nil
	}
	compiled, err := pattern.CompileTool(name)
	if err != nil || slices.ContainsFunc(clientTools(), compiled.MatchTool) {
		return nil
	}
	return []flaw{{Warning, "matches no tool of the client", "check the name; MCP tools are written mcp__server__tool"}}
}

// commandFlaws finds parts of a command pattern that cannot match. A pattern is compared with each simple command
// on its own, without quotes and with one space between words.
func commandFlaws(pattern string) []flaw {
	var out []flaw
	if operator := shellOperator(pattern); operator != "" {
		out = append(out, flaw{
			Error, fmt.Sprintf("contains %q, but each command is compared separately", operator),
			"write one pattern for each command",
		})
	}
	if strings.ContainsAny(pattern, `"'`) {
		out = append(out, flaw{Warning, "contains quotes, which are removed before commands are compared", "remove them"})
	}
	if strings.Contains(pattern, "  ") {
		out = append(out, flaw{
			Error, "contains two spaces in a row and never matches, because each run of spaces in a command becomes one space before the comparison", "write one space",
		})
	}
	if i := strings.Index(pattern, ":*"); i >= 0 && i+2 < len(pattern) {
		out = append(out, flaw{
			Warning, "contains :* before its end, where the colon is an ordinary character",
			"write * alone, or end the pattern there",
		})
	}
	return out
}

// shellOperator returns the first operator in a pattern that joins commands or redirects output, or "" if there is
// none. It ignores operators in code that is an argument of a program.
func shellOperator(pattern string) string {
	program, _, _ := strings.Cut(strings.TrimSuffix(pattern, ":*"), " ")
	if slices.Contains(programsWithCode(), program) || strings.Contains(program, "*") {
		return ""
	}
	for _, operator := range []string{"&&", "||", "|", ";", ">", "<", "`", "$("} {
		if strings.Contains(pattern, operator) {
			return operator
		}
	}
	return ""
}

func programsWithCode() []string {
	return []string{
		"awk", "bash", "eval", "find", "gawk", "jq", "node", "perl", "php", "psql", "python", "python3", "ruby", "sed",
		"sh", "sqlite3", "ssh", "xargs", "yq", "zsh",
	}
}
