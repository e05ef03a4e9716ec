package toolcall_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/detect/toolcall/trace"
)

// mustNotFail stops the test if the analysis panicked. After a panic, a hook must always ask a person.
func mustNotFail(t *testing.T, command string, call *effect.Analysis) {
	t.Helper()
	for _, e := range call.Effects {
		if strings.Contains(e.Reason, trace.Failed) {
			t.Fatalf("the analysis of %q panics", command)
		}
	}
}

func FuzzAnalyzeCommand(f *testing.F) {
	for _, seed := range []string{
		"rm -rf /", "echo hi", "f(){ f|f& };f", "cat <<A <<B\na\nA\nb\nB", "a=(1 2); echo ${a[@]:1} ${x//a/b} ${y:-$(z)}", "find . -exec sh -c 'rm {}' \\;",
		"eval \"$(base64 -d <<< cm0=)\"", "git -c alias.x='!x' x", "python3 -c 'import os'", "case $x in a) b;; esac", "for ((i=0;i<3;i++)); do x; done", "xargs -I{} sh -c '{}'", "[[ a =~ b ]] && ((x=1))",
		"sudo -u a env -S 'b c' timeout 3 nice -n 4 xargs find . -delete", "ssh a@b 'c; d' < e", "docker run -v $PWD:/a b c", "psql -c 'select 1'", "a{b,c{d,e}}f{1..3}", "$'\\x41' $\"b\" `c \\`d\\``",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 16<<10 {
			return
		}
		start := time.Now()
		call := toolcall.AnalyzeCommand(nil, command)
		if took := time.Since(start); took > slowest {
			t.Fatalf("takes %v", took)
		}
		mustNotFail(t, command, call)
		if len(call.Effects) > trace.MaxEffects+1 {
			t.Fatalf("%d effects", len(call.Effects))
		}
		for _, e := range call.Effects {
			if e.Span.Start < 0 || e.Span.End > len(command) || e.Span.Start > e.Span.End {
				t.Fatalf("span %v lies outside the command", e.Span)
			}
		}
		if again := toolcall.AnalyzeCommand(nil, command); !sameJSON(call, again) {
			t.Fatal("two analyses of one command differ")
		}
	})
}

func sameJSON(a, b *effect.Analysis) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// hostile() returns inputs that would make a careless analysis slow or deeply recursive.
func hostile() map[string]string {
	return map[string]string{
		"open brackets":           strings.Repeat("(", 100_000),
		"open braces":             strings.Repeat("{ ", 50_000),
		"command substitutions":   strings.Repeat("$(", 40_000),
		"arithmetic":              strings.Repeat("$((", 30_000),
		"backquotes":              strings.Repeat("`", 100_000),
		"escaped backquotes":      strings.Repeat("\\`", 50_000),
		"ifs":                     strings.Repeat("if ", 40_000),
		"negations":               strings.Repeat("! ", 60_000),
		"pipes":                   strings.Repeat("a|", 60_000) + "a",
		"ands":                    strings.Repeat("a&&", 40_000) + "a",
		"brace product":           "echo " + strings.Repeat("{a,b,c,d,e,f,g,h}", 2_000),
		"brace sequences":         "echo " + strings.Repeat("{1..99999}", 2_000),
		"nested loops":            strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do ", 12) + "rm x;" + strings.Repeat("done;", 12),
		"functions":               "a(){ b;b;b;b; }; b(){ c;c;c;c; }; c(){ d;d;d;d; }; d(){ e;e;e;e; }; e(){ f;f;f;f; }; f(){ g;g;g;g; }; g(){ h;h;h;h; }; h(){ rm x; }; a",
		"doubling variables":      "x=aaaaaaaaaaaaaaaa;" + strings.Repeat("x=$x$x;", 40) + "echo $x",
		"doubling substitutions":  "x=aaaaaaaaaaaaaaaa;" + strings.Repeat("x=$(echo $x $x);", 40) + "$x",
		"here-documents":          strings.Repeat("cat <<A\n", 5_000),
		"quotes":                  strings.Repeat("'\"", 50_000),
		"dollars":                 strings.Repeat("$", 100_000),
		"case":                    strings.Repeat("case a in b) ", 8_000),
		"tests":                   "[[ " + strings.Repeat("( ", 40_000),
		"many arguments":          "rm " + strings.Repeat("a ", 60_000),
		"long word":               "rm -rf " + strings.Repeat("a/", 60_000),
		"parent folders":          "rm -rf " + strings.Repeat("../", 40_000),
		"commands":                strings.Repeat("rm -rf a;", 14_000),
		"nested shells":           nestedShells(12),
		"wrappers":                strings.Repeat("sudo ", 25_000) + "rm -rf /",
		"env":                     "env " + strings.Repeat("a=b ", 30_000) + "rm x",
		"globs":                   "rm " + strings.Repeat("*?[a-z]", 15_000),
		"python brackets":         "python3 -c '" + strings.Repeat("(", 100_000) + "'",
		"python calls":            "python3 -c '" + strings.Repeat("f(", 50_000) + "'",
		"python functions":        "python3 -c '" + strings.Repeat("def f(a):", 14_000) + "'",
		"python helpers":          "python3 -c 'import os\n" + strings.Repeat("def f(a):\n os.system(a)\nf(\"ls -l\")\n", 3_000) + "'",
		"python lambdas":          "python3 -c '" + strings.Repeat("lambda a:", 14_000) + "'",
		"python choices":          "python3 -c 'import os\nfor a in [" + strings.Repeat("\"ls -l\",", 4_000) + "]:\n" + strings.Repeat(" os.system(a+a)\n", 4_000) + "'",
		"python indents":          "python3 -c '" + indented(400) + "'",
		"node arrows":             "node -e '" + strings.Repeat("a=>", 40_000) + "'",
		"node callbacks":          "node -e '" + strings.Repeat("f(a=>", 20_000) + "'",
		"node methods":            "node -e '" + strings.Repeat("f(a){", 20_000) + "'",
		"ruby blocks":             "ruby -e '" + strings.Repeat("a.each{|b|", 10_000) + "'",
		"ruby ends":               "ruby -e '" + strings.Repeat("def a(b)\n", 12_000) + "'",
		"lua functions":           "lua -e '" + strings.Repeat("function f(a) ", 8_000) + "'",
		"perl loops":              "perl -e '" + strings.Repeat("system($_) for (\"ls -l\");", 4_000) + "'",
		"literals":                "python3 -c 'import os\nos.system(x)\n" + strings.Repeat("y(\"rm -rf /x\")\n", 7_000) + "'",
		"node templates":          "node -e '" + strings.Repeat("`${", 30_000) + "'",
		"sed":                     "sed '" + strings.Repeat("s/a/b/e;", 12_000) + "' x",
		"sql":                     "psql -c '" + strings.Repeat("select (", 14_000) + "'",
		"xargs":                   "echo " + strings.Repeat("a ", 20_000) + "| xargs rm",
		"aliases":                 "alias a='b b'; alias b='c c'; alias c='d d'; alias d='a a'; a",
		"functions that recurse":  "a(){ b; a; }; b(){ a; b; }; a",
		"extended globs":          "echo " + strings.Repeat("@(a|", 20_000),
		"parameter expansions":    "echo " + strings.Repeat("${a:-", 20_000),
		"parameter replacements":  "a=" + strings.Repeat("x", 30_000) + ";" + strings.Repeat("a=${a//x/xx};", 30),
		"read-only text with NUL": strings.Repeat("\x00", 100_000),
	}
}

func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "def f(a):\n")
	}
	return b.String()
}

func nestedShells(depth int) string {
	command := "rm -rf /"
	for range depth {
		command = "bash -c " + "'" + strings.ReplaceAll(command, "'", `'\''`) + "'"
		if len(command) > 100_000 {
			break
		}
	}
	return command
}

// The constant "slowest" is the longest time that an analysis may take. The budget is 50 ms, but the race detector
// and a busy machine need much more.
const slowest = 5 * time.Second

func TestHostileCommandsEndInTime(t *testing.T) {
	for name, command := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			call := toolcall.AnalyzeCommand(nil, command)
			took := time.Since(start)
			mustNotFail(t, name, call)
			t.Logf("%v, %d effects", took, len(call.Effects))
			if took > slowest {
				t.Errorf("takes %v", took)
			}
		})
	}
}

func TestOversizedCommandIsReported(t *testing.T) {
	call := toolcall.AnalyzeCommand(nil, strings.Repeat("a", trace.MaxCommandSize+1))
	if len(call.Effects) != 1 || !call.Effects[0].Has(effect.TooLarge) {
		t.Fatalf("%+v", call.Effects)
	}
}
