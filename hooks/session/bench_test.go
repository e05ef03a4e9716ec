package session_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"guardrails/hooks/session"
)

func BenchmarkOpen(b *testing.B) {
	env := from(map[string]string{"GUARDRAILS_CACHE_DIR": folder(b).Path("")})
	for b.Loop() {
		_, err := session.Open(env)
		must(b, err)
	}
}

func BenchmarkTouch(b *testing.B) {
	d := folder(b)
	for b.Loop() {
		must(b, d.Touch(session.BeatName("s", "PreToolUse")))
	}
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			d := folder(b)
			must(b, d.Write("guardrails-s.json", bytes.Repeat([]byte("x"), size)))
			for b.Loop() {
				_, err := d.Read("guardrails-s.json", 2<<20)
				must(b, err)
			}
		})
	}
}

func BenchmarkWrite20KiB(b *testing.B) {
	d := folder(b)
	data := bytes.Repeat([]byte("x"), 20<<10)
	for b.Loop() {
		must(b, d.Write("guardrails-s.json", data))
	}
}

func BenchmarkNote(b *testing.B) {
	d := folder(b)
	for b.Loop() {
		must(b, d.Note("s", session.Entry{Kind: session.Wrote, Path: "src/main.go", Source: true, ToolUseID: "toolu_01"}))
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

func BenchmarkSpool(b *testing.B) {
	state := folder(b).Path("")
	at := time.Unix(0, 0)
	record := bytes.Repeat([]byte("x"), 500)
	for b.Loop() {
		must(b, session.Spool(state, at, record))
	}
}
