package toolcall

import "strings"

// clientCommands takes out the lines that the client itself obeys: \! in psql, .shell in sqlite3, system in mysql.
func (a *analyzer) clientCommands(c *command, text string) string {
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); isClientCommand(trimmed) {
			a.clientCommand(c, trimmed)
		} else {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

func isClientCommand(line string) bool {
	return line != "" && (line[0] == '\\' || line[0] == '.' || strings.HasPrefix(line, "system ") || strings.HasPrefix(line, "!!"))
}

func (a *analyzer) clientCommand(c *command, line string) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case oneOf(word, ".shell", ".system", "system", "!!"):
		a.runText(c, value{text: rest})
	case strings.HasPrefix(word, `\!`):
		a.runText(c, value{text: strings.TrimPrefix(line, `\!`)})
	case oneOf(word, `\o`, `\g`, `\gx`, `\w`, `\i`, `\ir`, ".output", ".once", ".import", ".read", ".backup", ".save", ".excel"):
		a.clientFile(c, word, unquoted(rest))
	case word == `\copy` && strings.Contains(strings.ToLower(rest), " program "):
		_, program, _ := strings.Cut(rest, "'")
		program, _, _ = strings.Cut(program, "'")
		a.runText(c, value{text: program})
	}
}

// unquoted is a text without the quotes that stand around the whole of it.
func unquoted(s string) string {
	if n := len(s); n > 1 && s[0] == s[n-1] && (s[0] == '\'' || s[0] == '"') {
		return s[1 : n-1]
	}
	return s
}

// clientFile is where a client's output goes or its input comes from; a bar before it means a program.
func (a *analyzer) clientFile(c *command, word, target string) {
	v := value{text: target}
	switch program, isProgram := strings.CutPrefix(target, "|"); {
	case isProgram:
		a.runText(c, value{text: program})
	case target == "":
	case oneOf(word, `\i`, `\ir`, ".read", ".import"):
		v.text, _, _ = strings.Cut(target, " ")
		a.sqlFile(c, v)
	default:
		a.write(v, c.sc, c.span)
	}
}

// sqlOutside finds statements that reach out of the database: programs, files, and SQL in strings.
func (a *analyzer) sqlOutside(c *command, verb string, tokens []sqlToken) {
	before := ""
	for i, t := range tokens {
		if !t.quoted {
			before = strings.ToUpper(t.text)
			continue
		}
		v := value{text: strings.ReplaceAll(t.text, "''", "'")}
		switch {
		case before == "PROGRAM" && verb == "COPY", before == "XP_CMDSHELL", before == "SYSTEM" && verb == "SELECT", before == "SYS_EXEC", before == "SYS_EVAL":
			a.runText(c, v)
		case before == "WRITEFILE", before == "OUTFILE" || before == "DUMPFILE" || before == "TO" && verb == "COPY":
			a.write(v, c.sc, c.span)
		case before == "LOAD_FILE" || before == "PG_READ_FILE" || before == "PG_READ_BINARY_FILE" || before == "LO_IMPORT" || before == "INFILE" || before == "FROM" && verb == "COPY":
			a.read(v, c.sc, c.span)
		case verb == "DO" || verb == "EXECUTE" || verb == "EXEC" || verb == "PREPARE":
			if a.depth < MaxDepth && i > 0 {
				a.depth++
				a.sqlText(c, v.text)
				a.depth--
			}
		}
	}
}

// sqlText scans SQL inside a string or a block of code, which begins with words of its own language.
func (a *analyzer) sqlText(c *command, text string) {
	for part := range strings.SplitSeq(text, ";") {
		if i := strings.Index(strings.ToUpper(part), "DROP "); i > 0 {
			part = part[i:]
		}
		a.sql(c, part)
	}
}
