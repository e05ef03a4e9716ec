package database

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// frameworkHandler returns the handler of a web framework's tool, or nil. Some tasks of these tools delete the
// database.
func frameworkHandler(name string) trace.Handler {
	if name == words.Among(name, frameworks) || name == words.Among(name, "sequelize sequelize-cli mikro-orm phinx doctrine") {
		return framework
	}
	if name == "sail" || name == "symfony" {
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return t.RunInner(c, c.Args()) }
	}
	return nil
}

// DropsDatabase reports whether the name of a framework's task shows that the task deletes all data.
func DropsDatabase(task string) bool {
	task, _, _ = strings.Cut(task, "[")
	return program.IsOneOf(task, dropTasks)
}

// The function framework analyzes the command-line tool of a web framework. The task is in the first words of the
// command. A call in a test environment or with test settings gets no event, unless the call also names another
// environment or database.
func framework(t *trace.Trace, c *trace.Command) trace.Flow {
	isTest, before := program.IsTest(t, c) || hasTestSettings(t, c), loss(t, c)
	if isTest && !runsCode(c) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	h := table.Handler(c.Name)
	if h == nil {
		h = table.Handler("rails")
	}
	from, f := len(t.Effects), h(t, c)
	if isTest && !before {
		forgive(t, c.Run)
	}
	for i := from; isTest && i < len(t.Effects); i++ {
		if strings.HasSuffix(t.Effects[i].Reason, trace.DeletesRecords) {
			forgive(t, i)
		}
	}
	return f
}

// codeTasks are the tasks that run code in the application. The code can do anything, even in a test environment.
const codeTasks = "runner|r|console|c|shell|shell_plus|tinker|eval|eval-file|php:eval"

func runsCode(c *trace.Command) bool {
	for _, v := range c.Args() {
		if program.IsOneOf(v.Text, codeTasks) {
			return true
		}
	}
	return false
}

// hasTestSettings reports whether Django uses settings for tests, such as shop.settings.test.
func hasTestSettings(t *trace.Trace, c *trace.Command) bool {
	o := flags.Parse(c.Args(), "settings")
	name := words.OrElse(trace.FirstText(o.Values("settings")), c.Scope.Exported("DJANGO_SETTINGS_MODULE").Text)
	return NamesTestData(name) && !program.NamesOther(t, c)
}

// frameworkCode analyzes code that runs in an application, as in "rails runner CODE" and "manage.py shell -c CODE". The
// code may also be in the input.
func frameworkCode(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	texts := o.Values("c command execute")
	if len(o.Operands) > 1 && strings.ContainsAny(o.Word(1), " .(") && !namesFile(o.Word(1)) {
		texts = append(texts, o.Operands[1])
	}
	if c.In.Text != "" {
		texts = append(texts, trace.Value{Text: c.In.Text})
	}
	for _, v := range texts {
		applicationCode(t, c, v)
	}
	if len(texts) == 0 && !applicationFile(t, c, o) && len(o.Operands) > 1 {
		if strings.Contains(o.Word(1), "::") { // code that looks like the name of a file, such as Queue::Mail.clear
			applicationCode(t, c, o.Operands[1])
		}
		t.Unanalyzed(c.Span, "runs code in the application, which was not analyzed")
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// applicationFile analyzes the code in the file that an operand names. If no operand names a file, it analyzes the file
// from which the input comes. applicationFile returns false if there is no such file or if the text of the file is not
// known.
func applicationFile(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
	run := func(inner *trace.Command, text string) { applicationCode(t, inner, trace.Value{Text: text}) }
	if namesFile(o.Word(1)) {
		p := t.Place(o.Operands[1], c.Scope)
		return t.TextAt(c, &p, run)
	}
	return !c.In.Known && c.In.From() != "" && t.InputScript(c, c.In.From(), run)
}

// namesFile reports whether an operand is the name of a file and not code.
func namesFile(operand string) bool {
	return trace.NamesFile(operand) && !strings.ContainsAny(operand, " ;(")
}

// applicationCode analyzes code in the language of a web framework.
func applicationCode(t *trace.Trace, c *trace.Command, v trace.Value) {
	interpreter, flag := "ruby", "-e"
	switch c.Name {
	case "rails":
	case words.Among(c.Name, "artisan php sail console spark wp drush"):
		interpreter, flag = "php", "-r"
	default:
		interpreter, flag = "python3", "-c"
	}
	t.RunInner(c, []trace.Value{{Text: interpreter}, {Text: flag}, v})
	markMethods(t, c, v.Text)
	if program.NamesProduction(c) && writes(withoutStrings(v.Text)) {
		t.Mark(c, "changes data in production", effect.DevopsInvoked)
	}
}

// writes() reports whether code calls a method that changes records of the application.
func writes(code string) bool {
	for _, rest, ok := strings.Cut(code, "."); ok; _, rest, ok = strings.Cut(rest, ".") {
		name := strings.TrimRight(rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_!"))], "!")
		if words.OneOf(name, "delete destroy save create update update_all update_columns update_column update_attribute "+
			"update_attributes update_or_create bulk_create bulk_update insert_all upsert_all set_password touch_all") {
			return true
		}
	}
	return false
}

// markMethods marks code that calls a method such as delete_all on an object, and code with SQL that loses data.
func markMethods(t *trace.Trace, c *trace.Command, text string) {
	code := withoutStrings(text)
	for i := 0; i < len(code); i++ {
		if code[i] != '.' && code[i] != '>' && code[i] != ':' {
			continue
		}
		end := i + 1
		for end < len(code) && isSQLByte(code[end]) {
			end++
		}
		m := words.MeaningOf(code[i+1 : end])
		deletes := (m == words.Destroys || m == words.Reverts) && !selects(code[:i])
		if deletes && (!t.Spend(i) || !makes(code, i)) {
			t.Mark(c, "deletes data of the application ("+code[i+1:end]+")", effect.DestructiveOp)
			return
		}
	}
	for rest := text; ; {
		start := strings.IndexAny(rest, "\"'`")
		if start < 0 {
			return
		}
		inner, length := quotedSQL(rest[start:], rest[start])
		sqlText(t, c, inner)
		rest = rest[start+length:]
	}
}

// selects() reports whether code ends with a call that selects single objects. Examples are find(3), which selects one
// object, and filter(id=3) or where("id", 3), which select objects by the value of a column.
func selects(code string) bool {
	inner, closed := strings.CutSuffix(strings.TrimRight(code, "-&?"), ")")
	open := strings.LastIndexByte(inner, '(')
	if !closed || open < 0 || open == len(inner)-1 {
		return false
	}
	call := inner[strings.LastIndexAny(inner[:open], ".:>")+1 : open]
	return words.OneOf(call, "find findOrFail") ||
		strings.ContainsAny(inner[open:], "=:,") && words.OneOf(call, "filter get where find_by")
}

// makes() reports whether the code itself has created the object that it deletes, as in "i = Item.objects.create();
// i.delete()". The parameter "end" is the index just after the object's name in the deleting call, such as the i of
// "i.delete()". Every assignment to this name must create an object.
func makes(code string, end int) bool {
	start := end
	for start > 0 && isSQLByte(code[start-1]) {
		start--
	}
	name, made := code[start:end], false
	for i := 0; name != "" && i+len(name) < end; i++ {
		if code[i:i+len(name)] != name || i > 0 && isSQLByte(code[i-1]) || isSQLByte(code[i+len(name)]) {
			continue
		}
		value, assigned := strings.CutPrefix(strings.TrimLeft(code[i+len(name):], " "), "=")
		switch {
		case strings.HasPrefix(value, "in ") || strings.HasPrefix(value, ","):
			return false
		case !assigned || strings.HasPrefix(value, "="):
			continue
		}
		value, _, _ = strings.Cut(value, "(")
		class := strings.TrimSpace(value)
		method := words.AfterLast(class, ".")
		if made = method == class && class != "" && isUpper(class[0]) || words.OneOf(method, "create create! new"); !made {
			return false
		}
	}
	return made
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// FrameworkScript analyzes a framework's tool that is a script for an interpreter, as in "python manage.py flush". It
// also marks "python setup.py upload".
func FrameworkScript(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	switch trace.ProgramName(operands[0].Text) {
	case "manage.py", "artisan", "rails", "rake", "console", "spark", "ace":
		inner := *c
		inner.Name, inner.Argv = trace.ProgramName(operands[0].Text), operands
		framework(t, &inner)
	case "setup.py":
		if slices.ContainsFunc(operands[1:], func(v trace.Value) bool { return v.Text == "upload" }) {
			t.Mark(c, "publishes (setup.py upload)", effect.Publish)
		}
	}
}

// The variable "table" lists the subcommands of migration tools, and of clients for databases that do not use SQL.
var table = program.Table{Text: migrationOrders + storeOrders, Code: codeOf} //nolint:gochecknoglobals // a constant table

// Table returns the table with the subcommands of the programs in this package.
func Table() *program.Table { return &table }

func codeOf(name string) program.Code {
	switch name {
	case "plain":
		return func(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow { return program.Plain(t, c) }
	case "edit-secrets":
		return program.EditsSecrets
	case "statements":
		return Statements
	case "sql-client":
		return func(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow { return sqlClient(t, c) }
	case "directory":
		return changeDirectory
	case "index":
		return fillsIndex
	case "framework-code":
		return frameworkCode
	case "redis-flush":
		return redisFlush
	case "redis-eval":
		return redisEval
	case "redis-delete":
		return redisDelete
	}
	return nil
}
