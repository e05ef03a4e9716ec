package safety_test

import (
	"strings"
	"testing"

	"guardrails/detect/safety"
)

// BenchmarkSafety measures the check of messages.
func BenchmarkSafety(b *testing.B) {
	benchmark(b, map[string]int{"2 KiB": 2 << 10, "32 KiB": 32 << 10}, func(text string) { safety.Check(text, nil) })
}

// BenchmarkAnswer measures all gates, with personal data.
func BenchmarkAnswer(b *testing.B) {
	benchmark(b, map[string]int{"2 KiB": 2 << 10}, func(text string) { safety.Answer(text, nil) })
}

func benchmark(b *testing.B, sizes map[string]int, do func(string)) {
	const prose = "I've worked on the migration all day, and the tests still fail. Can you help me find out why the process is killed when " +
		"its parent exits? At 12:30 I saw the job 17 on port 8080; mary said that it's fine. "
	for name, size := range sizes {
		text := strings.Repeat(prose, size/len(prose)+1)[:size]
		b.Run("prose "+name, func(b *testing.B) {
			do(text)
			b.ReportAllocs()
			for b.Loop() {
				do(text)
			}
		})
	}
}
