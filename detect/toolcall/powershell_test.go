package toolcall

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// TestPowerShellLimits analyzes texts that would take long or be nested too deeply if there were no limits.
func TestPowerShellLimits(t *testing.T) {
	cases := map[string]string{
		"blocks in blocks":        strings.Repeat("{", 60000),
		"brackets in brackets":    strings.Repeat("(", 60000),
		"open blocks 140 deep":    strings.Repeat("& {", 140) + strings.Repeat(" ", 100000),
		"expressions in quotes":   strings.Repeat(`"$(`, 40000),
		"quotes without end":      strings.Repeat(`'a`, 50001),
		"not after not":           strings.Repeat("-not ", 20000) + "1",
		"assignments in a row":    strings.Repeat("$a=", 30000) + "1",
		"doubling text":           "$a='aaaaaaaa'\n" + strings.Repeat("$a=$a+$a\n", 400) + "iex $a",
		"doubling lists":          "$a='a','b'\n" + strings.Repeat("$a=$a,$a\n", 400),
		"loops in loops":          strings.Repeat("foreach($x in 1,2,3,4,5,6,7,8){", 20) + "ls" + strings.Repeat("}", 20),
		"a function that calls":   "function f { f; f }; f",
		"functions that call":     "function f { g; g }; function g { h; h }; function h { i; i }; function i { f }; f",
		"many statements":         strings.Repeat("1;", 60000),
		"many arguments":          "ls" + strings.Repeat(" a", 60000),
		"many commas":             "ls a" + strings.Repeat(",a", 60000),
		"members without end":     "$a" + strings.Repeat(".b", 60000),
		"here-strings without":    strings.Repeat("@'\n", 40000),
		"comments without end":    strings.Repeat("<#", 60000),
		"text that runs itself":   "$a='iex $a'; iex $a",
		"programs in programs":    strings.Repeat("pwsh -c ", 5000),
		"cmd in cmd":              strings.Repeat("cmd /c ", 5000),
		"a block run many times":  "1..9|%{" + strings.Repeat("$a='"+strings.Repeat("b", 1000)+"';", 100) + "}",
		"format with itself":      "$a='{0}{0}'\n" + strings.Repeat("$a=$a -f $a\n", 300),
		"tables in tables":        strings.Repeat("$a=@{x=", 5000),
		"splats":                  "$a=@{x=1};" + "ls" + strings.Repeat(" @a", 10000),
		"larger than the limit":   strings.Repeat("a", trace.MaxCommandSize+1),
		"redirections in a row":   "ls " + strings.Repeat(">", 60000),
		"pipes in a row":          strings.Repeat("|", 60000),
		"types in a row":          strings.Repeat("[a]", 40000) + "1",
		"subexpressions in lists": strings.Repeat("@(1,", 140) + strings.Repeat(")", 140),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			analyzePowerShell(t, text)
			if took := time.Since(start); took > tooLong {
				t.Errorf("took %v", took)
			}
		})
	}
}

// tooLong is the time in which the analysis of any script must end. The analysis usually ends much earlier, even with
// the race detector on a busy machine.
const tooLong = 10 * time.Second

func analyzePowerShell(t testing.TB, text string) *effect.Analysis {
	t.Helper()
	input, err := json.Marshal(map[string]string{"command": text})
	if err != nil {
		t.Fatal(err)
	}
	return Analyze(tableEnv(), "PowerShell", input)
}

func TestPowerShellThatExceedsALimitIsReported(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", trace.MaxCommandSize+1), strings.Repeat("{", 60000), strings.Repeat("1;", 60000), "$a='iex $a'; iex $a"} {
		if got := eventsOf(analyzePowerShell(t, text), nil); !slices.Contains(got, "too_large") {
			t.Errorf("%s: events %v", trace.Shorten(text), got)
		}
	}
}

func TestPowerShellSpans(t *testing.T) {
	text := "Get-Date; & { Remove-Item -Recurse src }"
	for _, e := range analyzePowerShell(t, text).Effects {
		if e.Kind == effect.Delete && text[e.Span.Start:e.Span.End] != "Remove-Item -Recurse src" {
			t.Errorf("span is %q", text[e.Span.Start:e.Span.End])
		}
	}
}

// TestWindowsProgramsWithoutArguments calls every handler without arguments, and then with arguments that make no
// sense.
func TestWindowsProgramsWithoutArguments(t *testing.T) {
	for _, name := range strings.Fields("pwsh powershell cmd reg net sc schtasks vssadmin wevtutil bcdedit cipher wmic wbadmin netsh auditpol fsutil reagentc manage-bde takeown icacls setx attrib taskkill certutil bitsadmin mshta rundll32 forfiles robocopy xcopy") {
		for _, args := range []string{"", " x", " /c", " -x ''", " /c '' ''", " a b c d", " /tr", " -decode a"} {
			AnalyzeCommand(tableEnv(), name+args)
			analyzePowerShell(t, name+args)
		}
	}
}

// FuzzPowerShell checks that two analyses of the same text have the same result, and that they end in time.
func FuzzPowerShell(f *testing.F) {
	for _, c := range readJSON[[]tableCase](f, "testdata/commands/powershell.json") {
		f.Add(c.Command)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		first, _ := json.Marshal(analyzePowerShell(t, text))
		if took := time.Since(start); took > tooLong {
			t.Errorf("took %v for %d bytes", took, len(text))
		}
		second, _ := json.Marshal(analyzePowerShell(t, text))
		if !bytes.Equal(first, second) {
			t.Errorf("two analyses differ:\n%s\n%s", first, second)
		}
	})
}

func BenchmarkPowerShellTypical(b *testing.B) {
	input := []byte(`{"command":"Set-Location src; Get-ChildItem -Recurse -Filter *.cs | Select-String 'x'; git add -A; git commit -m \"fix: it\""}`)
	b.ReportAllocs()
	for b.Loop() {
		Analyze(tableEnv(), "PowerShell", input)
	}
}
