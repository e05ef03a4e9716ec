package session_test

import (
	"fmt"
	"testing"

	"guardrails/hooks/session"
)

func BenchmarkNote(b *testing.B) {
	d := folder(b)
	for b.Loop() {
		must(b, session.Note(d, "s", session.Entry{Kind: session.Wrote, Path: "src/main.go", Source: true, ToolUseID: "toolu_01"}))
	}
}

func BenchmarkLedger(b *testing.B) {
	for _, lines := range []int{0, 100, 2000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			d := folder(b)
			for n := range lines {
				record(b, d, session.Entry{Kind: session.Wrote, Path: fmt.Sprintf("src/module/file%d.go", n), Source: true, ToolUseID: fmt.Sprintf("toolu_%d", n)})
			}
			for b.Loop() {
				read(b, d)
			}
		})
	}
}
