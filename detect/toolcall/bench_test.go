package toolcall_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
)

func BenchmarkTypicalCommand(b *testing.B) {
	env := &toolcall.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	b.ReportAllocs()
	for b.Loop() {
		toolcall.AnalyzeCommand(env, `cd src && go test ./... 2>&1 | tail -20 && git add -A && git commit -m "fix: the thing"`)
	}
}

func BenchmarkScript100KB(b *testing.B) {
	env := &toolcall.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	script := scriptOf(100 << 10)
	b.ReportAllocs()
	for b.Loop() {
		toolcall.AnalyzeCommand(env, script)
	}
}

// These benchmarks analyze inputs of 100 KB that agents really send: the content of a file in a call of Write and in a
// here-document, and a long commit message.
func BenchmarkContent100KB(b *testing.B) {
	benchmarkTool(b, "Write", map[string]string{"file_path": "/home/dev/app/src/main.go", "content": prose(100 << 10)})
}

func BenchmarkHereDocument100KB(b *testing.B) {
	benchmarkTool(b, "Bash", map[string]string{"command": "cat > src/main.go <<'EOF'\n" + prose(100<<10) + "\nEOF\n"})
}

func BenchmarkMessage100KB(b *testing.B) {
	benchmarkTool(b, "Bash", map[string]string{"command": "git commit -m '" + strings.ReplaceAll(prose(100<<10), "'", "") + "'"})
}

func BenchmarkQuotedMessage100KB(b *testing.B) {
	plain := strings.NewReplacer(`"`, "", "`", "", "$", "", `\`, "").Replace(prose(100 << 10))
	benchmarkTool(b, "Bash", map[string]string{"command": `git commit -m "` + plain + `"`})
}

func benchmarkTool(b *testing.B, tool string, arguments map[string]string) {
	env := &toolcall.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	input, err := json.Marshal(arguments)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		toolcall.Analyze(env, tool, input)
	}
}

// prose() returns program code with long comments. The code has exactly the given size in bytes.
func prose(size int) string {
	const part = "// parse reads one statement, and whatever stands before it; see \"The Grammar\" for what it's about.\n" +
		"func parse(s string, at int) (stmt, error) {\n\tif len(s) == 0 || s[at] == '\\n' {\n\t\treturn stmt{}, fmt.Errorf(\"%d: $nothing\", at)\n\t}\n}\n\n"
	return strings.Repeat(part, size/len(part)+1)[:size]
}

func scriptOf(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "# step %d\nif [ -f \"src/file%d.txt\" ]; then\n  cp src/file%d.txt build/file%d.txt\n  grep -n 'some pattern' build/file%d.txt | sort -u > out/%d.log\nfi\necho \"step %d is done\"\n", i, i, i, i, i, i, i)
	}
	return b.String()
}
