package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// clientCommands analyzes the lines that the database client itself runs, such as "\!" in psql, ".shell" in sqlite3 and
// "system" in mysql. It returns the text without these lines. For the parameter "test", see sqlScript().
func clientCommands(t *trace.Trace, c *trace.Command, text string, test bool) string {
	var rest strings.Builder
	begin, end := 0, 0 // the lines since the last command \gexec
	for _, line := range strings.SplitAfter(text, "\n") {
		if trimmed := strings.TrimSpace(line); isClientCommand(trimmed) {
			clientCommand(t, c, trimmed, test)
		} else {
			if _, file, ok := strings.Cut(trimmed, "; source "); ok {
				clientFile(t, c, "source", file, test)
			}
			for _, word := range [...]string{`\g `, `\gx `} {
				if _, file, ok := strings.Cut(trimmed, word); ok { // as in select 1 \g file
					clientFile(t, c, `\g`, unquoted(strings.TrimSpace(file)), test)
				}
			}
			rest.WriteString(line)
		}
		if end += len(line); strings.Contains(line, `\gexec`) {
			computedSQL(t, c, text[begin:end])
			begin = end
		}
	}
	return rest.String()
}

func isClientCommand(line string) bool {
	return line != "" && (line[0] == '\\' || line[0] == '.' || strings.HasPrefix(line, "system ") ||
		strings.HasPrefix(line, "source ") || strings.HasPrefix(line, ":r ") || strings.HasPrefix(line, "!!"))
}

func clientCommand(t *trace.Trace, c *trace.Command, line string, test bool) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case words.OneOf(word, ".sh .she .shel .shell .sys .syst .syste .system system !!"):
		t.RunText(c, trace.Value{Text: rest})
	case strings.HasPrefix(word, `\!`):
		t.RunText(c, trace.Value{Text: strings.TrimPrefix(line, `\!`)})
	case words.OneOf(word, `\o \g \gx \w \i \ir \. source :r .output .once .read .excel .log .clone`):
		clientFile(t, c, word, unquoted(rest), test)
	case words.OneOf(word, ".import .backup .save .open .restore"):
		databaseFile(t, c, word, rest)
	case word == `\copy` && strings.Contains(strings.ToLower(rest), " from ") &&
		!strings.Contains(strings.ToLower(rest), " program "):
		file, _, _ := strings.Cut(rest[strings.LastIndex(strings.ToLower(rest), " from ")+len(" from "):], " ")
		t.Read(trace.Value{Text: unquoted(file)}, c.Scope, c.Span)
	case word == `\copy` && strings.Contains(strings.ToLower(rest), " to ") &&
		!strings.Contains(strings.ToLower(rest), " program "):
		file, _, _ := strings.Cut(rest[strings.LastIndex(strings.ToLower(rest), " to ")+4:], " ")
		clientFile(t, c, word, unquoted(file), test)
	case word == `\copy` && strings.Contains(strings.ToLower(rest), " program "):
		_, program, _ := strings.Cut(rest, "'")
		program, _, _ = strings.Cut(program, "'")
		copyProgram(t, c, trace.Value{Text: program})
	}
}

// copyProgram analyzes a program that gets the content of a table as its input. Such content may be secret.
func copyProgram(t *trace.Trace, c *trace.Command, v trace.Value) {
	inner := *c
	inner.In = trace.Flow{Taint: trace.FromProgram | trace.FromSecret}
	t.RunText(&inner, v)
}

// databaseFile analyzes the commands of sqlite3 that copy a table or a whole database. The file is the first word after
// .import, and the last word after any other command.
func databaseFile(t *trace.Trace, c *trace.Command, word, rest string) {
	if word == ".import" {
		rest = withoutOptions(rest)
	}
	list := flags.SplitWords(rest, trace.Value{})
	if len(list) == 0 {
		return
	}
	switch file := list[len(list)-1].Text; {
	case word == ".import" && (rest[0] == '\'' || rest[0] == '"'):
		text, _ := quotedSQL(rest, rest[0])
		clientFile(t, c, word, text, false)
	case word == ".import":
		clientFile(t, c, word, list[0].Text, false)
	case word == ".restore":
		t.Mark(c, "replaces what is in the database", effect.DestructiveOp)
	case word == ".open" && list[0].Text == "--readonly":
		t.Read(list[len(list)-1], c.Scope, c.Span)
	case file != ":memory:":
		clientFile(t, c, word, file, false)
	}
}

// withoutOptions returns the arguments of the sqlite3 command .import without the options before the file.
func withoutOptions(rest string) string {
	for strings.HasPrefix(rest, "-") {
		option, after, _ := strings.Cut(rest, " ")
		if strings.HasSuffix(option, "-skip") || strings.HasSuffix(option, "-schema") {
			_, after, _ = strings.Cut(strings.TrimLeft(after, " "), " ")
		}
		rest = strings.TrimLeft(after, " ")
	}
	return rest
}

func unquoted(s string) string {
	if n := len(s); n > 1 && s[0] == s[n-1] && (s[0] == '\'' || s[0] == '"') {
		return s[1 : n-1]
	}
	return s
}

// clientFile analyzes a file that a client reads or writes. If the name begins with "|", the rest of the name is a
// command.
func clientFile(t *trace.Trace, c *trace.Command, word, target string, test bool) {
	v := trace.Value{Text: target}
	switch program, isProgram := strings.CutPrefix(target, "|"); {
	case isProgram:
		t.RunText(c, trace.Value{Text: program})
	case target == "":
	case words.OneOf(word, `\i \ir \. source :r .read .import`):
		v.Text, _, _ = strings.Cut(strings.TrimRight(target, ";"), " ")
		sqlFile(t, c, v, test)
	default:
		t.Write(v, c.Scope, c.Span)
	}
}

// sqlOutside adds the effects that a statement has outside the database: the programs that it runs, and the files that
// it reads or writes. It also analyzes SQL in strings.
func sqlOutside(a *trace.Trace, c *trace.Command, verb string, tokens []sqlToken) {
	before := ""
	for i, t := range tokens {
		if !t.quoted {
			before = strings.ToUpper(t.text)
			if before == words.Among(before, "DROP_CHUNKS LO_UNLINK PG_DROP_REPLICATION_SLOT") {
				a.Mark(c, "deletes data of the database ("+t.text+")", effect.DestructiveOp)
			}
			continue
		}
		v := trace.Value{Text: strings.ReplaceAll(t.text, "''", "'")}
		switch {
		case before == "PROGRAM" && verb == "COPY":
			copyProgram(a, c, v)
		case before == "EDIT" && c.Name == "sqlite3" && i > 0 && tokens[i-1].quoted,
			before == "XP_CMDSHELL", before == "SYSTEM" && verb == "SELECT",
			before == "SYS_EXEC", before == "SYS_EVAL":
			a.RunText(c, v)
		case before == "WRITEFILE", before == "OUTFILE" || before == "DUMPFILE" || before == "TO" && verb == "COPY",
			before == "INTO" && verb == "VACUUM":
			a.Write(v, c.Scope, c.Span)
		case before == "LOAD_FILE" || before == "PG_READ_FILE" || before == "PG_READ_BINARY_FILE" ||
			before == "LO_IMPORT" || before == "INFILE" || before == "READFILE" || before == "FROM" && verb == "COPY":
			a.Read(v, c.Scope, c.Span)
		case verb == "DO" || verb == "EXECUTE" || verb == "EXEC" || verb == "PREPARE":
			if a.Depth < trace.MaxDepth && i > 0 {
				a.Depth++
				sqlText(a, c, v.Text)
				a.Depth--
			}
		}
	}
}

// sqlText analyzes SQL in a string or a block of code. Words of a procedural language may come before the SQL.
func sqlText(t *trace.Trace, c *trace.Command, text string) {
	for _, part := range strings.Split(text, ";") {
		if i := strings.Index(strings.ToUpper(part), "EXECUTE "); i >= 0 {
			computedSQL(t, c, part[i:])
		}
		if i := strings.Index(strings.ToUpper(part), "DROP "); i > 0 {
			part = part[i:]
		}
		SQL(t, c, part)
	}
}

// computedSQL analyzes SQL whose text another statement computes, as in EXECUTE 'drop table ' || name. The computed
// text may begin with any of the strings in the statement. If such a string does not contain the complete first word of
// the computed text, the computed text is unknown.
func computedSQL(t *trace.Trace, c *trace.Command, statement string) {
	joins := func(rest string) bool { return strings.HasPrefix(strings.TrimLeft(rest, " \t\n"), "||") }
	for rest := statement; ; {
		token, next, ok := nextSQL(rest)
		if !ok {
			return
		}
		if token.quoted && !joins(rest) {
			text := strings.TrimLeft(token.text, " ")
			if joins(next) && (!strings.Contains(text, " ") || strings.Contains(text, ";")) {
				t.Opaque(c.Span, "runs SQL that a statement computes", effect.OpaqueExecution)
			}
			if t.Depth < trace.MaxDepth {
				t.Depth++
				SQL(t, c, text)
				t.Depth--
			}
		}
		rest = next
	}
}
