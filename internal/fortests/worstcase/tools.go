package worstcase

import "strings"

// otherTools returns calls of tools that are not shells.
func otherTools(size int) []Call {
	var out []Call
	add := func(name, tool, input string) { out = append(out, Call{Name: name, Tool: tool, Input: []byte(input)}) }
	add("Write: long path", "Write", `{"file_path":"/`+fill(size, "a/")+`","content":"b"}`)
	add("Write: large content", "Write", `{"file_path":"/a","content":"`+fill(8*size, "rm -rf / ")+`"}`)
	add("Write: large content with escapes", "Write", `{"file_path":"/a","content":"`+fill(8*size, `\n\u0041`)+`"}`)
	add("Write: many paths", "Write", `{`+count(size, `"file_path":"a#",`)+`"content":"b"}`)
	add("Write: .mcp.json", "Write", `{"file_path":".mcp.json","content":"{\"mcpServers\":{`+count(size,
		`\"a#\":{\"command\":\"rm\"},`)+`\"b\":{}}}"}`)
	add("Write: deep .mcp.json", "Write", `{"file_path":".mcp.json","content":"`+fill(size, `{\"mcpServers\":`)+`"}`)
	add("MultiEdit: many edits", "MultiEdit", `{"file_path":"a","edits":[`+fill(size, `{"old_string":"a","new_string":"b"},`)+`{}]}`)
	add("Edit: .mcp.json", "Edit", `{"file_path":".mcp.json","old_string":"`+fill(size, "a")+`","new_string":"`+fill(size, "b")+`"}`)
	add("Write: workflow with expressions", "Write", `{"file_path":".github/workflows/a.yml","content":"- run: curl `+
		fill(size-100, "${{a}}")+`"}`)
	add("Write: workflow with commands", "Write", `{"file_path":".github/workflows/a.yml","content":"`+
		count(4*size, `- run: curl a#\n`)+`"}`)
	add("Write: workflow with secrets", "Write", `{"file_path":".github/workflows/a.yml","content":"`+
		count(size, `A#: ${{ toJSON(secrets) }}\n`)+count(size, `- run: curl a#\n`)+`"}`)
	add("Write: package.json", "Write", `{"file_path":"package.json","content":"`+count(2*size, `\"rm a#\" `)+`"}`)
	add("Write: tasks", "Write", `{"file_path":".vscode/tasks.json","content":"`+fill(2*size, `\"folderOpen\" {`)+`"}`)
	add("MultiEdit: Makefile", "MultiEdit", `{"file_path":"Makefile","edits":[`+
		fill(size, `{"old_string":"a","new_string":"ba"},`)+`{}]}`)
	add("Bash: many commands", "Bash", `{`+count(size, `"command":"rm a#",`)+`"x":1}`)
	add("Bash: many long commands", "Bash", `{`+fill(8, `"command":"`+fill(size/8, "rm a;")+`",`)+`"x":1}`)
	add("Bash: different long commands", "Bash", `{`+count(size, `"command":"# `+fill(2000, "rm a;")+`",`)+`"x":1}`)
	add("Bash: many members", "Bash", `{`+count(size, `"a#":1,`)+`"command":"rm a"}`)
	add("Bash: too large", "Bash", `{"command":"`+fill(16*size, "rm a;")+`"}`)
	add("Grep: long pattern", "Grep", `{"pattern":"`+fill(size, "(a*)*")+`","path":"a"}`)
	add("Glob: long pattern", "Glob", `{"pattern":"`+fill(size, "**/*a")+`"}`)
	add("Glob: braces", "Glob", `{"pattern":"`+fill(size, "{a,b}")+`"}`)
	add("WebFetch: long address", "WebFetch", `{"url":"https://a.com/`+fill(size, "a/")+`"}`)
	add("WebFetch: many addresses", "WebFetch", `{`+count(size, `"url":"https://a#.com",`)+`"x":1}`)
	add("Task: long prompt", "Task", `{"subagent_type":"a","prompt":"`+fill(8*size, "answer the question of guardrails ")+`"}`)
	add("TodoWrite: many items", "TodoWrite", `{"todos":[`+fill(size, `{"content":"a"},`)+`{}]}`)
	for _, tool := range []string{"mcp__shell__run_command", "mcp__files__write_files", "mcp__db__execute_sql", "mcp__a__b"} {
		mcp := func(name, input string) { add("MCP "+strings.TrimPrefix(tool, "mcp__")+": "+name, tool, input) }
		mcp("many arguments", `{`+count(size, `"path#":"/a#",`)+`"x":1}`)
		mcp("many paths", `{"paths":[`+count(size, `"/a#",`)+`"x"]}`)
		mcp("many commands", `{"commands":[`+count(size, `"rm a#",`)+`"x"]}`)
		mcp("many large commands", `{"commands":[`+count(size, `"# `+fill(2000, "rm a;")+`",`)+`"x"]}`)
		mcp("some very large commands", `{"commands":[`+strings.Repeat(`"`+fill(size, "rm a;")+`",`, 24)+`"x"]}`)
		mcp("many words", `{"command":"rm","args":[`+count(size, `"a#",`)+`"x"]}`)
		mcp("many objects", `{"items":[`+count(size, `{"path":"/a#","command":"rm b"},`)+`{}]}`)
		mcp("deep objects", nested(min(size/10, 1000), `{"a":`, `1`, `}`))
		mcp("very deep objects", nested(size/10, `{"a":`, `1`, `}`))
		mcp("deep lists", `{"a":`+nested(min(size/4, 5000), `[`, `1`, `]`)+`}`)
		mcp("deep objects with paths", nested(11, `{"path":"/a",`+count(size/11, `"path#":"/b",`)+`"a":`, `1`, `}`))
		mcp("wide objects", `{`+fill(size, `"a":{"b":{"c":{"d":1}}},`)+`"x":1}`)
		mcp("open brackets", `{"a":`+fill(size, "["))
		mcp("large SQL", `{"sql":"`+fill(size, "drop table a;")+`"}`)
		mcp("large query", `{"query":"`+fill(size, "delete from a;")+`"}`)
		mcp("large command", `{"command":"`+fill(size, "rm a;")+`"}`)
		mcp("large code", `{"code":"import os\n`+fill(size, `os.system('rm a')\n`)+`"}`)
		mcp("large content", `{"path":"a","content":"`+fill(8*size, "rm -rf / ")+`"}`)
		mcp("large unknown text", `{"x":"`+fill(8*size, "rm -rf / ")+`"}`)
		mcp("escapes", `{"command":"`+fill(size, `\u0072`)+`"}`)
		mcp("long names", `{"`+fill(size, "path_")+`":"/a"}`)
		mcp("many spaces", `{`+fill(8*size, " ")+`"path":"/a"}`)
		mcp("deep texts", `{"body":"`+fill(size, `{\"a\":`)+`"}`)
	}
	add("a long name of a tool", "mcp__"+fill(size, "delete_"), `{"path":"/a"}`)
	return out
}
