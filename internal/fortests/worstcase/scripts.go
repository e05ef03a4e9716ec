package worstcase

import (
	"strconv"
	"strings"
)

// maxScript is the size of the largest script that is read.
const maxScript = 64 << 10

// scripts() returns commands that run scripts from the disk.
func scripts(size int) []Call {
	var out []Call
	add := func(name, text string, files ...string) {
		c := command("script: "+name, text)
		c.Files = map[string]string{}
		for i := 0; i < len(files); i += 2 {
			c.Files["/home/dev/app/"+files[i]] = files[i+1]
		}
		out = append(out, c)
	}
	text := min(size, maxScript)
	lines := count(text-100, "rm -rf src/d#\n")
	add("one", "sh a.sh", "a.sh", lines)
	add("one often", fill(size, "sh a.sh;"), "a.sh", lines)
	add("many", count(size, "sh a#.sh;"), "a0.sh", lines, "a1.sh", lines, "a2.sh", lines, "a3.sh", lines)
	add("one expensive script and an expensive command", "sh a.sh;"+fill(size, "rm a b c d;"), "a.sh",
		fill(text-100, "for i in 1 2 3 4 5 6 7 8;do x=1;[[ a ]];done\n"))
	add("one expensive script and many files", "sh a.sh;"+count(size, "mv a# b#;"), "a.sh",
		count(text-100, "find . -name 'a#*' -exec rm {} \\;\n"))
	add("one in a loop", "for i in "+fill(128, "a ")+";do sh a.sh;done", "a.sh", lines)
	add("of assignments often", fill(size, "sh a.sh;"), "a.sh", count(text-100, "a#=b\n"))
	add("with functions often", fill(size, "sh a.sh;"), "a.sh", "f(){ "+fill(text/2, "x=1;")+"}\n"+fill(text/2-100, "f\n"))
	add("that runs itself", "sh a.sh", "a.sh", fill(text-100, "sh a.sh\n"))
	add("that run each other", "sh a.sh", "a.sh", fill(text-100, "sh b.sh\n"), "b.sh", fill(text-100, "sh c.sh\n"), "c.sh", lines)
	add("too large", "sh a.sh", "a.sh", fill(256<<10, "rm a\n"))
	add("too large often", fill(size, "sh a.sh;"), "a.sh", fill(256<<10, "rm a\n"))
	add("that is missing often", fill(size, "sh missing.sh;"))
	add("missing ones", count(size, "sh a#.sh;"))
	add("missing programs", count(size, "./a#;"))
	add("with quotes", "sh a.sh", "a.sh", fill(text-100, "'\""))
	add("with here-documents", "sh a.sh", "a.sh", fill(text-100, "cat <<A\n"))
	for _, l := range languages()[:5] {
		one := l.before + fill(text-200, strings.ReplaceAll(l.system, "$", `"rm a"`)+l.end)
		add("of "+l.name+" often", fill(size, l.run+" a.x;"), "a.x", one)
	}
	add("of Python that import each other", "python3 a.py", "a.py", "import b\n"+fill(text-100, "import c\n"), "b.py",
		fill(text-100, "import c\n"), "c.py", fill(text-100, "import b\n"))
	add("makefile with rules", "make a", "Makefile", "a:\n\trm a\n"+count(text-100, "b#: a\n\trm c\n"))
	add("makefile with one large rule", "make a", "Makefile", "a:\n"+count(text-100, "\trm c#\n"))
	add("makefile with chains", "make b400", "Makefile", "b:\n"+rules(min(text, 9000)))
	add("makefile with variables", "make a", "Makefile", count(text/2, "v# = a\n")+"a:\n"+count(text/2-100, "\trm $(v#)\n"))
	add("makefile with variables that nest", "make a", "Makefile", "v0 = aaaaaaaa\n"+doubling(30)+"a:\n"+fill(text-4000, "\trm $(v30)\n"))
	add("makefile with many targets that run", "make "+count(16<<10, "b# "), "Makefile", count(text-100, "b#: a\n\trm c\n"))
	add("makefile with many targets that are missing", "make "+count(16<<10, "x# "), "Makefile", count(text-100, "b#: a\n\trm c\n"))
	add("makefile often", fill(size, "make a;"), "Makefile", "a:\n"+count(text-100, "\trm c#\n"))
	add("makefile with pattern rules", "make a.o", "Makefile", count(text-100, "%.o#: %.c\n\trm c\n"))
	add("makefile with conditions", "make a", "Makefile", fill(text-200, "ifdef a\nendif\n")+"a:\n\trm a\n")
	add("justfile with a large value", "just a", "justfile", "x := '"+fill(text/2, "a")+"'\na:\n  echo "+fill(text/2-100, "{{x}}")+"\n")
	add("justfile with variables that nest", "just a", "justfile", "v0 := 'aaaaaaaa'\n"+
		strings.NewReplacer(" = ", " := ", ")$(", " + ", "$(", "", ")", "").Replace(doubling(30))+"a:\n"+fill(text-4000, "  rm {{v7}}\n"))
	add("justfile with recipes that need themselves", "just a 1", "justfile", fill(text/2, "set export\n")+"a x: "+
		fill(text/2-100, "(a x + '1') ")+"\n  rm {{x}}\n")
	add("justfile with functions", "just a", "justfile", "a:\n  rm {{"+fill(text-100, "quote(")+"}}\n")
	add("justfile whose recipe is called with many different arguments", count(8<<10, "just a b#;"), "justfile", "a +x:\n"+fill(text-100, "  rm {{x}}\n"))
	add("package.json with scripts", "npm run a0", "package.json", `{"scripts":{`+count(text-100, `"a#":"rm a#",`)+`"b":"c"}}`)
	add("package.json whose scripts run each other", "npm run a0", "package.json",
		`{"scripts":{"a0":"`+fill(text-200, "npm run a1;")+`","a1":"npm run a0"}}`)
	add("package.json often", fill(size, "npm run a0;"), "package.json", `{"scripts":{`+count(text-100, `"a#":"rm a#",`)+`"b":"c"}}`)
	return out
}

// rules() returns rules of a makefile. Each rule has its own target, needs two other targets, and removes a file.
func rules(size int) string {
	return count(size, "b#1: b# b\n\trm a#\n")
}

// doubling() returns variables of a makefile. The value of each variable contains the previous variable twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("v" + strconv.Itoa(i+1) + " = $(v" + strconv.Itoa(i) + ")$(v" + strconv.Itoa(i) + ")\n")
	}
	return b.String()
}
