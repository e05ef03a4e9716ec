package toolcall

import (
	"strings"
	"testing"
	"time"

	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/program/interpreter"
	"guardrails/detect/toolcall/trace"
)

func analyzeCode(src string) {
	for t := trace.Python; t <= trace.Other; t++ {
		a := newTrace(tableEnv(), "Bash")
		sc := &trace.Scope{Cwd: a.Env.Cwd}
		c := &trace.Command{Name: "code", Argv: []trace.Value{{Text: "code"}}, Scope: sc, In: trace.Nothing()}
		if t == trace.Awk {
			code.RunAwk(a, c, trace.Value{Text: src}, nil)
			continue
		}
		code.Run(a, c, t, trace.Value{Text: src})
	}
	a := newTrace(tableEnv(), "Bash")
	c := &trace.Command{Name: "code", Argv: []trace.Value{{Text: "code"}}, Scope: &trace.Scope{Cwd: a.Env.Cwd}, In: trace.Nothing()}
	interpreter.Tcl(a, c, src)
	interpreter.ExCommands(a, c, src)
	files.SedScript(a, c, trace.Value{Text: src})
}

// FuzzCode checks that the analysis never panics or hangs, for any program in any language.
func FuzzCode(f *testing.F) {
	for _, seed := range []string{
		`import os; os.system(f"rm -rf {x!r}")`, "const {a: b} = require('fs'); b.c(`${d}`)", `open(F, ">x"); print F qw(a b); s/a/b/e; <<EOF`,
		`system "a #{b}"; %w[a b].each { |x| puts x }`, `<?php echo "{$a['b']}" . chr(1);`, `t:connect("a" .. [[b]])`, `{ print $1 | "sh"; "a" |& getline }`,
		`x <- c("a"); run(` + "`a $(b)`" + `)`, `''.join(chr(i) for i in [1, 2])`, `s/a/b/e;w x`, `exec {a} [b]`, "((((((", "[[[[{{{{",
		"def f(a, *b):\n  return a\nf(f)", "for a, b in [(1, 'x')]: f(a if b else c)", "const f = ([a], {b}) => a; [1].map(f)", "sub f { my ($a) = @_; shift } f(1) for (1, 2);",
		"def f(a) = a\n[1].each do |a, b| f a end", "local function f(...) return {...} end f(1)", "func f(a ...string) { for _, b := range a { f(b) } }", "function f(a) { system(a) } BEGIN { split(\"a\", b); f(b[1]) }", `"\x4`, `x[::-1]`, "a=a+a;",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 8<<10 {
			return
		}
		start := time.Now()
		analyzeCode(src)
		if spent := time.Since(start); spent > tooLong {
			t.Errorf("took %v", spent)
		}
	})
}

// hostileSize is the size in bytes of the hostile inputs. At this size, an analysis that takes quadratic time is
// noticeably slow.
const hostileSize = 32 << 10

// TestHostileCodeIsFollowedInTime analyzes code that repeats a short part many times, because such code can make a
// parser slow.
func TestHostileCodeIsFollowedInTime(t *testing.T) {
	size := hostileSize
	if testing.Short() {
		size /= 8 // with the race detector, the full size takes half a minute
	}
	for _, part := range []string{
		"(", "[", "{", "a(", "f'{", `"`, "'", "`", "/[", "<<A\n", "$", "%w[", "q(", "s/a/b/e;", `"#{`, "a=a+a;", `a="b"+a;`, "a.b", "[a for a in ", "x=[x,x];",
		"chr(1)+", "lambda ", "def f(", "import ", "from a import ", "if ", "for a in b:", "${", "<a", "\\", "1.", ":a", "a:b,", "?.", "os.system('a');", "eval('eval(1)');", "function(", "a->{b}", "@{",
		"a=>", "a=>{", "def f(a): f(a)\n", "def f(a)\n", "a.each{|b| ", "for(a of b){", "for a,b in c:", "function f(a){f(a)}", "|a|", "sub{", "a,b=c,", "->(a){", "f(a,lambda b:", "a||b||", "a?b:", "do|a|", "end ",
		"func f(a b){", "{[a]}=", "os.walk(a);", "for a in [1,2,3,4]:\n", "a=[a for a in a];", "if a else ", "x.y(", "system(a for ", "f=f(f);",
	} {
		src := strings.Repeat(part, size/len(part))
		for l := trace.Python; l <= trace.Other; l++ {
			start := time.Now()
			a := newTrace(tableEnv(), "Bash")
			c := &trace.Command{Name: "code", Argv: []trace.Value{{Text: "code"}}, Scope: &trace.Scope{Cwd: a.Env.Cwd}, In: trace.Nothing()}
			if l == trace.Awk {
				code.RunAwk(a, c, trace.Value{Text: src}, nil)
			} else {
				code.Run(a, c, l, trace.Value{Text: src})
			}
			if spent := time.Since(start); spent > tooLong {
				t.Errorf("%q in language %d took %v", part, l, spent)
			}
		}
	}
}

// TestInterpretersTakeUnusualArguments calls every interpreter with arguments that are incomplete or make no sense.
func TestInterpretersTakeUnusualArguments(t *testing.T) {
	names := "python3 ipython node deno bun tsx perl ruby irb php lua awk gawk Rscript R julia osascript groovy elixir erl jshell tclsh expect vim ex ed emacs"
	for name := range strings.FieldsSeq(names) {
		for _, args := range []string{"", "-", "--", "-e", "-c", "-m", "-i", "-pi", "-f", "-e ''", "-e -e", "-c -- -", "-- --", "eval", "run", "test", "-x=", "--eval=", "-E", "-W", "-ne", "'' ''", "+", "-c:!"} {
			if got := AnalyzeCommand(tableEnv(), name+" "+args); len(eventsOf(got, []string{"test_run"})) > 0 {
				t.Errorf("%s %s: events %v, want none", name, args, eventsOf(got, nil))
			}
		}
	}
}
