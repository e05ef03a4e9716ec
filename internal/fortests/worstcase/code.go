package worstcase

import "strings"

// inlineCode returns calls with source code on the command line.
func inlineCode(size int) []Call {
	var out []Call
	for _, l := range languages() {
		add := func(name, code string) {
			out = append(out, command(l.name+": "+name, l.run+" <<'CODE'\n"+l.before+code+"\nCODE\n"))
		}
		one := strings.ReplaceAll(l.system, "$", l.quoted("rm a"))
		again := strings.ReplaceAll(l.system, "$", l.variable("x"))
		add("calls", fill(size, one+l.end))
		add("unknown calls", fill(size, again+l.end))
		add("calls that differ", count(size, strings.ReplaceAll(l.system, "$", l.quoted("rm a#"))+l.end))
		add("variables", count(size, l.variable("x#")+" = "+l.quoted("a")+l.end))
		add("a variable that grows", fill(size, l.variable("x")+" = "+l.variable("x")+l.plus+l.quoted("a")+l.end))
		add("a variable that doubles", l.variable("x")+" = "+l.quoted("rm a")+l.end+fill(size-100,
			l.variable("x")+" = "+l.variable("x")+l.plus+l.variable("x")+l.end)+again)
		add("literals", again+l.end+count(size, l.variable("y")+" = "+l.quoted("rm -rf /a#")+l.end))
		add("literals and calls", half(size, l.variable("y")+" = "+l.quoted("rm -rf /a#")+l.end, again+l.end))
		add("large literals", again+l.end+fill(size, l.variable("y")+" = "+l.quoted(fill(3<<10, "rm a;"))+l.end))
		add("brackets", fill(size, "("))
		add("nested brackets", nested(90, "(", fill(size, "a,"), ")"))
		add("nested brackets often", fill(size, nested(80, "(", "a", ")")+l.end))
		add("square brackets", fill(size, "["))
		add("braces", fill(size, "{"))
		add("calls in calls", fill(size, "f("))
		add("methods in a row", "a"+fill(size, ".b()"))
		add("members in a row", "a"+fill(size, ".b"))
		add("a sum", l.variable("x")+" = "+fill(size, l.quoted("a")+l.plus)+l.quoted("b")+l.end+again)
		add("a list", l.variable("x")+" = ["+fill(size, l.quoted("rm a")+", ")+"]"+l.end+again)
		add("a list that is walked", l.each("["+fill(size/2, l.quoted("rm a")+", ")+"]", fill(size/2, again+l.end)))
		add("a short list that is walked", l.each("["+fill(400, l.quoted("rm a")+", ")+"]", fill(size, again+l.end)))
		add("functions", count(size, l.function("f#", again)))
		add("functions that are called", count(size/2, l.function("f#", again))+count(size/2, "f#("+l.quoted("rm a")+")"+l.end))
		add("one function that is called", l.function("f", fill(size/2, again+l.end))+fill(size/2, "f("+l.quoted("rm a")+")"+l.end))
		add("functions that call functions", l.function("f0", again)+nestedCalls(size, l))
		add("functions that nest", fill(size, strings.SplitN(l.function("f", "\x00"), "\x00", 2)[0]))
		add("strings in strings", fill(size, `"'`))
		add("open strings", l.quoted("a")+fill(size, `"`))
		add("escapes", l.variable("x")+" = "+l.quoted(fill(size, `\x41`))+l.end+again)
		add("comments", fill(size, "# a\n// b\n/* c */ "))
		add("open comments", fill(size, "/* "))
		add("operators", fill(size, "+ - * / "))
		add("numbers", fill(size, "1 "))
		add("names", count(size, "a# "))
		add("lines", fill(size, "\n"))
		add("code in code", l.eval(l.eval(fill(size/4, "a("))))
		add("eval", fill(size, l.eval("a=1")+l.end))
		add("imports", count(size, "import a#\n"))
	}
	return out
}

// nestedCalls returns functions. Each function calls the function before it several times.
func nestedCalls(size int, l language) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		before := "f" + string(rune('0'+i%10)) + "(" + l.variable("x") + ")"
		b.WriteString(l.function("f"+string(rune('0'+(i+1)%10)), strings.Repeat(before+l.end, 20)))
	}
	return b.String()
}

// The type "language" has the syntax of a programming language.
type language struct {
	name, run, before string
	// The field "system" is code that runs a command. $ stands for the command.
	system    string
	end, plus string
	// The field "sigil" is the text with which the name of a variable begins.
	sigil string
	// The fields "open" and "close" are the texts before and after the body of the function f with the parameter x.
	open, close string
	// The fields "loop" and "done" are the texts before and after the body of a loop. $ stands for the list.
	loop, done string
	// The field "evaluate" is code that evaluates other code. $ stands for the other code.
	evaluate string
}

func (l *language) quoted(s string) string   { return `"` + s + `"` }
func (l *language) variable(s string) string { return l.sigil + s }
func (l *language) function(name, body string) string {
	return strings.ReplaceAll(l.open, "f!", name) + body + l.close
}

func (l *language) each(list, body string) string {
	return strings.ReplaceAll(l.loop, "$", list) + strings.ReplaceAll(body, "\n", "\n ") + l.done
}

func (l *language) eval(code string) string {
	return strings.ReplaceAll(l.evaluate, "$", `"`+strings.ReplaceAll(code, `"`, `\"`)+`"`)
}

func languages() []language {
	return []language{
		{"Python", "python3", "import os\n", "os.system($)", "\n", " + ", "", "def f!(x):\n ", "\n", "for x in $:\n ", "\n", "exec($)"},
		{
			"JavaScript", "node", "const {execSync} = require('child_process');\n", "execSync($)", ";\n", " + ", "",
			"function f!(x) { ", " }\n", "for (const x of $) { ", " }\n", "eval($)",
		},
		{"Ruby", "ruby", "", "system($)", "\n", " + ", "", "def f!(x)\n ", "\nend\n", "$.each { |x| ", " }\n", "eval($)"},
		{"Perl", "perl", "", "system($)", ";\n", " . ", "@", "sub f! { my $x = shift; ", " }\n", "for my $x ($) { ", " }\n", "eval $"},
		{"PHP", "php", "<?php\n", "system($)", ";\n", " . ", "$", "function f!($x) { ", " }\n", "foreach ($ as $x) { ", " }\n", "eval($)"},
		{"Lua", "lua", "", "os.execute($)", "\n", " .. ", "", "function f!(x) ", " end\n", "for _, x in ipairs($) do ", " end\n", "load($)()"},
		{"awk", "awk -f -", "", "system($)", "\n", " ", "", "function f!(x) { ", " }\n", "BEGIN { ", " }\n", "system($)"},
		{"R", "Rscript -", "", "system($)", "\n", " + ", "", "f! <- function(x) { ", " }\n", "for (x in $) { ", " }\n", "eval(parse(text=$))"},
		{"Julia", "julia", "", "run($)", "\n", " * ", "", "function f!(x)\n ", "\nend\n", "for x in $\n ", "\nend\n", "eval($)"},
		{
			"Elixir", "elixir -", "", "System.cmd($)", "\n", " <> ", "", "def f!(x) do\n ", "\nend\n",
			"Enum.each($, fn x -> ", " end)\n", "Code.eval_string($)",
		},
		{
			"Go", "cat >a.go && go run a.go", "package main\nfunc main() {\n", "exec.Command($).Run()", "\n", " + ", "",
			"func f!(x string) { ", " }\n", "for _, x := range $ { ", " }\n", "f($)",
		},
		{"C", "cat >a.c && gcc a.c", "", "system($);", "\n", " + ", "", "void f!(char *x) { ", " }\n", "for (;$;) { ", " }\n", "f($)"},
	}
}
