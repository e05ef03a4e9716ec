package tooluse_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/tooluse"
)

func BenchmarkTypicalCommand(b *testing.B) {
	env := &tooluse.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	b.ReportAllocs()
	for b.Loop() {
		tooluse.AnalyzeCommand(env, `cd src && go test ./... 2>&1 | tail -20 && git add -A && git commit -m "fix: the thing"`)
	}
}

func BenchmarkScript100KB(b *testing.B) {
	env := &tooluse.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	script := scriptOf(100 << 10)
	b.ReportAllocs()
	for b.Loop() {
		tooluse.AnalyzeCommand(env, script)
	}
}

// scriptOf is a plausible shell script of about the size given.
func scriptOf(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "# step %d\nif [ -f \"src/file%d.txt\" ]; then\n  cp src/file%d.txt build/file%d.txt\n  grep -n 'some pattern' build/file%d.txt | sort -u > out/%d.log\nfi\necho \"step %d is done\"\n", i, i, i, i, i, i, i)
	}
	return b.String()
}
