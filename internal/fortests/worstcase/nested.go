package worstcase

import (
	"strconv"
	"strings"
)

// multiplied() returns calls in which lists, nesting, repetition or quoting in one part multiply the work of another
// part.
func multiplied(size int) []Call {
	var out []Call
	add := func(name, text string) { out = append(out, command("multiplied: "+name, text)) }
	code := func(run, name, text string) { add(run+": "+name, run+" <<'CODE'\n"+text+"\nCODE\n") }
	add("arithmetic that names variables", chain(30, "a#='a@+a@';")+fill(size-2000, "echo $((a0));"))
	add("arithmetic with long variables", "a="+fill(size/4, "1+")+"1;"+fill(size/2, "((b=a));"))
	add("indirect variables in a row", chain(200, "a#=a@;")+fill(size-4000, "echo ${!a0};"))
	add("name references in a row", chain(200, "declare -n a#=a@;")+fill(size-6000, "echo $a0;"))
	add("aliases that double", chain(30, "alias a#='a@ ;a@ ';")+fill(size-2000, "a0;"))
	add("global aliases that double", chain(30, "alias -g A#='A@ A@';")+fill(size-2000, "rm A0;"))
	add("global aliases with long values", "alias -g A='"+fill(4<<10, "a ")+"';"+fill(size-4<<10, "rm A;"))
	add("suffix aliases", count(size/2, "alias -s x#=rm;")+count(size/2, "a.x#;"))
	add("functions without name", fill(size, "() { rm a };"))
	add("flags of expansions", "a=b;"+fill(size, "rm ${(e)a};"))
	add("history", fill(size, "rm !$;"))
	add("cases with patterns that backtrack", "a="+fill(8<<10, "b")+";"+fill(size-8<<10, "case $a in *b*b*b*c) x;;esac;"))
	add("tests with patterns that backtrack", "a="+fill(8<<10, "b")+";"+fill(size-8<<10, "[[ $a == *b*b*b*c ]];"))
	add("tests with expressions", "[[ a =~ "+fill(size, "(a*)*")+" ]]")
	add("substitutions of processes that nest", nested(100, "cat <(", "a", ")"))
	add("here-documents that nest", nested(12, "sh <<'E'\n", "rm a", "\nE\n"))
	add("here-documents with expansions", "a="+fill(4<<10, "b")+"\ncat <<E\n"+fill(size-4<<10, "$a\n")+"E\n")
	add("lists of parallel", "parallel rm ::: "+fill(8<<10, "a ")+"::: "+fill(8<<10, "b "))
	add("scripts of parallel", "parallel '"+fill(8<<10, "rm {};")+"' ::: "+fill(8<<10, "a "))
	add("assignments of env", "env "+count(size, "a#=b ")+"rm c")
	add("assignments of env often", count(size, "env a#=b c#=d rm e;"))
	add("shells of hosts", fill(size, "ssh a ")+"rm b")
	add("reads into an array", "a='"+fill(8<<10, "b ")+"';"+fill(size-8<<10, "read -a c <<<$a;"))
	add("reads of lines", "a='"+fill(8<<10, "b\n")+"';"+fill(size-8<<10, "mapfile c <<<$a;"))
	add("arguments that are set again", fill(size, `set -- "$@" a b;`))
	add("arguments that are copied", "set -- "+fill(8<<10, "a ")+";"+fill(size-8<<10, `b=("$@");`))
	add("options that are read", fill(size, "while getopts ab o;do rm $o;done;"))
	add("functions with locals that nest", chain(100, "f#(){ local x=$1; f@ $x; };")+fill(size-6000, "f0 a;"))
	add("words that are quoted again", quoted(size))
	add("outputs that are read again", chain(100, "f#(){ echo $(f@) $(f@); };")+fill(size-8000, "f0;"))
	add("variables in a row", chain(4000, "a@=$a#;"))
	add("texts that grow in a loop", "for i in {1..99};do a=$a$a$i;done;"+fill(size, "rm $a;"))
	add("compose files", "kubectl apply -f - <<'E'\n"+count(size, "- a#: {b: [c, d]}\n")+"E\n")
	add("rules of awk", "awk '"+count(size, `/a#/ { print > "f#" } `)+"' x")
	add("getline of awk", "awk 'BEGIN { "+fill(size, `while (("rm a" | getline x) > 0) y; `)+"}'")
	add("blocks of sed", "sed '"+nested(2000, "/a/{", "e rm b\n", "}")+"' x")
	add("translations of sed", "sed 'y/"+fill(size/2, "a")+"/"+fill(size/2, "b")+"/' x")
	add("labels of sed", "sed '"+count(size, ":a#;tb#;ba#;")+"' x")
	add("SQL with tables in a row", "psql -c 'with "+count(size, "a# as (delete from b#), ")+"c as (select 1) select 1'")
	add("SQL in SQL", "psql -c \""+nested(12, "do 'begin execute ''", "drop table a", "'' end'; ")+"\"")
	add("SQL with unions", "psql -c 'select 1 "+fill(size, "union select 1 ")+"'")
	add("cmd loops", "cmd /c '"+fill(size, "for %a in (b c) do del %a & ")+"'")
	add("cmd blocks", "cmd /c '"+nested(2000, "if exist a (", "del b", ")")+"'")
	add("cmd escapes", "cmd /c 'del "+fill(size, "^a")+"'")
	add("cmd variables that grow", "cmd /c '"+fill(size, "set a=%a%b & ")+"'")
	code("python3", "texts that are repeated", fill(size, "x = 'a' * 99999\n"))
	code("python3", "texts that are replaced", "x = 'a'\n"+fill(size, "x = x.replace('a', 'aa')\n")+"import os\nos.system(x)\n")
	code("python3", "texts that are joined", "import os\nx = ['a'"+fill(8<<10, ", 'b'")+"]\n"+fill(size-8<<10, "os.system(' '.join(x))\n"))
	code("python3", "texts that are split", "import os\nx = '"+fill(8<<10, "a ")+"'\n"+fill(size-8<<10, "y = x.split(' ')\n")+"os.system(y)\n")
	code("python3", "texts that are formatted", "import os\nx = '"+fill(4<<10, "{} ")+"'\n"+fill(size-4<<10, "os.system(x.format('a'))\n"))
	code("python3", "texts side by side", "import os\nos.system("+fill(size, "'a' ")+")\n")
	code("python3", "interpolations", "import os\nx = 'rm'\n"+fill(size, "os.system(f'{x} {x}')\n"))
	code("python3", "comprehensions", "import os\n"+fill(size, "[os.remove(x) for x in ['a', 'b'] for y in ['c', 'd']]\n"))
	code("python3", "lambdas", "x = "+fill(size, "lambda a: ")+"1\n")
	code("python3", "decorators", fill(size, "@a(b)\n")+"def f(): pass\n")
	code("python3", "tables", "x = "+nested(80, "{'a': ", fill(size, "'b', "), "}")+"\n")
	code("python3", "slices", "import os\nx = 'rm -rf /'\n"+fill(size, "os.system(x[0:4][1:2])\n"))
	code("python3", "products of lists", "import os\nx = ["+fill(400, "'a', ")+"]\nfor a in x:\n for b in x:\n  for c in x:\n   "+
		"os.remove(a + b + c)\n")
	code("python3", "conditions", "x = "+fill(size, "a if b else ")+"c\n")
	code("node", "templates that nest", "x = "+nested(80, "`a${", "b", "}`")+"\n"+fill(size, "y = `${x}`;\n"))
	code("node", "arrows", "x = "+fill(size, "a => ")+"b\n")
	code("node", "conditions", "x = "+fill(size, "a ? b : ")+"c\n")
	code("node", "spreads", "x = ['a'];\n"+fill(size, "x = [...x, ...x];\n")+"require('child_process').execSync(x)\n")
	code("node", "promises", "a"+fill(size, ".then(b => c(b))"))
	code("node", "expressions", "x = "+fill(size, "/[a/]b*/g.c || ")+"d\n")
	code("node", "texts that are repeated", fill(size, "x = 'a'.repeat(99999).padEnd(99999);\n"))
	code("ruby", "interpolations that nest", "x = "+nested(80, `"#{`, "a", `}"`)+"\n"+fill(size, "`rm #{x}`\n"))
	code("ruby", "here-documents", fill(size, "system(<<~A)\n rm a\nA\n"))
	code("ruby", "lists of words", "x = %w["+fill(size/2, "a ")+"]\n"+fill(size/2, "system(*x)\n"))
	code("ruby", "blocks", fill(size, "a do |b| "))
	code("perl", "quotes", fill(size, "q{a};qq(b);qw<c d>;"))
	code("perl", "substitutions that run", fill(size, "$x =~ s/a/system('rm b')/e;\n"))
	code("perl", "here-documents", fill(size, "print <<A;\nb\nA\n"))
	code("php", "here-documents", "<?php\n"+fill(size, "system(<<<A\nrm a\nA);\n"))
	code("php", "tags", fill(size, "<?php system('rm a'); ?>a"))
	add("code for an interpreter, in each language", fill(size, `python3 -c "import os;os.system('sh -c \"rm a\"')";`))
	add("code that follows itself", "python3 -c \""+strings.Repeat("exec('", 8)+"import os"+strings.Repeat("')", 8)+"\"")
	return out
}

// chain() repeats a text. In each repetition, it replaces # with the number of the repetition, and @ with the next
// number.
func chain(n int, part string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), "@", strconv.Itoa(i+1)).Replace(part))
	}
	return b.String()
}

// quoted() wraps a long command in several layers of sh -c "…". Each shell removes one layer of quotes.
func quoted(size int) string {
	text := fill(size/16, "a;")
	for range 4 {
		text = `sh -c "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return text
}
