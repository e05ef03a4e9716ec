package safety_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"guardrails/detect/safety"
)

// TestTry prints what Check says about each line of the file that TRY names.
func TestTry(t *testing.T) {
	f, err := os.Open(os.Getenv("TRY"))
	if err != nil {
		t.Skip()
	}
	s := bufio.NewScanner(f)
	for s.Scan() {
		in := safety.Check(s.Text(), nil)
		fmt.Printf("%-8s %.2f %v %v %v | %s\n", in.Action, in.RiskScore, in.Flags, in.Intents, in.Override, s.Text())
		for _, m := range in.Matched {
			fmt.Printf("            %s %s %q %d-%d\n", m.Pattern, m.Strength, m.Phrase, m.Start, m.End)
		}
	}
}

func BenchmarkSafety(b *testing.B) {
	text := "I have been working on the migration all day and the tests still fail. Can you help me find out why the process is killed when the parent exits? "
	for len(text) < 2048 {
		text += text
	}
	b.ReportAllocs()
	for b.Loop() {
		safety.Check(text[:2048], nil)
	}
}
