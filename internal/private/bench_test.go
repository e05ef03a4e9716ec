package private_test

import (
	"bytes"
	"fmt"
	"testing"

	"guardrails/internal/private"
)

func BenchmarkRuntime(b *testing.B) {
	env := from(map[string]string{"GUARDRAILS_CACHE_DIR": folder(b).Path("")})
	for b.Loop() {
		_, err := private.Runtime(env)
		must(b, err)
	}
}

func BenchmarkTouch(b *testing.B) {
	d := folder(b)
	for b.Loop() {
		must(b, d.Touch("guardrails-s.beat-PreToolUse"))
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
