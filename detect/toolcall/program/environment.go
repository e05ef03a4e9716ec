package program

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// RevertsForDevelopment reports whether a call undoes only the last migration of a developer's database. It returns
// false if the call has a variable, a flag or an operand that is not known to be harmless.
func RevertsForDevelopment(c *trace.Command) bool {
	named, safe := namesDevelopment(c.Scope)
	once := c.Name != "migrate" // without a number, "migrate down" undoes all changes
	done := false
	args := c.Args()
	for i, v := range args {
		switch text := v.Text; {
		case IsOneOf(text, "-e|--env|--environment") && IsOneOf(trace.ArgAt(args, i+1), development),
			IsOneOf(text, "--env=dev|--env=development|--environment=development"):
			named = true
		case IsOneOf(text, development): // the value of --env
		case IsOneOf(text, "1|-1|STEP=1|--step=1"):
			once = true
		default:
			if done || v.Partial || strings.HasPrefix(text, "-") || strings.ContainsAny(text, "=/@ ") ||
				words.InName(text, "all fresh refresh reset zero") {
				return false
			}
			done = words.MeaningOf(text) == words.Reverts || words.TakesBack(text)
		}
	}
	return named && safe && once
}

const development = "dev|development"

// namesDevelopment reports whether a variable such as NODE_ENV names the environment of a developer, or whether
// DATABASE_URL names a database on this machine. The result "safe" is false if any variable of the call may name a
// different environment or database.
func namesDevelopment(s *trace.Scope) (named, safe bool) {
	safe = !s.Secrets && !s.Lost
	s.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, variable trace.Variable) {
		v := variable.Scalar()
		isLocal := trace.IsLoopback(trace.HostOf(v.Text)) && !v.Partial && !strings.Contains(v.Text, "prod") &&
			!strings.Contains(v.Text, "?")
		switch {
		case IsOneOf(name, "0|BASH_SOURCE|OLDPWD"):
		case strings.HasSuffix(name, "_ENV"):
			named, safe = named || !variable.Inner, safe && IsOneOf(v.Text, development)
		case name == "DATABASE_URL":
			named, safe = named || !variable.Inner, safe && isLocal
		default:
			safe = safe && isLocal && strings.HasSuffix(name, "HOST")
		}
	})
	return named, safe
}

// environmentIs reports whether an environment variable that the program reads, such as NODE_ENV, has one of the
// values. It returns false if any variable of this kind has another value, even a variable that the program does not
// read.
func environmentIs(c *trace.Command, values string) bool {
	read, found := variableOf(c.Name), false
	for _, name := range [...]string{"RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV", "NODE_ENV", "FLASK_ENV"} {
		switch value := c.Scope.Exported(name).Text; {
		case IsOneOf(value, values):
			found = found || matchesAny(read, name)
		case value != "":
			return false
		}
	}
	return found
}

// variableOf returns a pattern for the names of the variables that tell a program its environment, such as NODE_ENV.
func variableOf(program string) string {
	switch program {
	case "rails", "rake":
		return "R*"
	case "mix", "ecto":
		return "MIX_ENV"
	case "artisan", "spark":
		return "APP_ENV"
	case "manage.py", "django-admin", "alembic":
		return "none"
	}
	return "*"
}

// IsTest reports whether a call works in a test environment. IsTest returns true if a variable such as NODE_ENV or a
// flag such as --env=test names a test environment. It also returns true if the database is in memory or in a file for
// tests. It returns false if the call also names another environment or database.
func IsTest(t *trace.Trace, c *trace.Command) bool {
	inMemory := variableOf(c.Name) == "APP_ENV" && c.Scope.Exported("DB_DATABASE").Text == ":memory:" ||
		!IsOneOf(c.Name, "mix|ecto|manage.py|django-admin") && UsesTestDatabase(t, c.Scope)
	return (environmentIs(c, "test|testing") || givesTest(c) || inMemory) && !NamesOther(t, c)
}

// givesTest reports whether an argument chooses a test environment, as in --env=test. Only rake and rails read
// arguments such as RAILS_ENV=test.
func givesTest(c *trace.Command) bool {
	found, read := false, variableOf(c.Name)
	eachSetting(c, func(name string, v trace.Value) {
		chooses := IsOneOf(name, environmentFlags) && read != "MIX_ENV" || read == "R*" && IsOneOf(name, "RAILS_ENV|RACK_ENV")
		found = found || chooses && IsOneOf(v.Text, "test|testing")
	})
	return found
}

// environmentFlags lists the flags that choose an environment.
const environmentFlags = "e|env|environment"

// isEnvironment reports whether the flag or the variable with this name chooses an environment.
func isEnvironment(name string) bool {
	return IsOneOf(name, environmentFlags) || strings.HasSuffix(name, "_ENV")
}

// NamesOther reports whether a variable or an argument of a call names an environment or a database that is not for
// tests and not on this machine. It also returns true if the call has opened a tunnel, because an address of this
// machine may then lead to a database on another machine.
func NamesOther(t *trace.Trace, c *trace.Command) bool {
	other := len(t.Tunnels) > 0
	c.Scope.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, variable trace.Variable) {
		other = other || isOfDatabase(name) && isOther("url", variable.Scalar())
	})
	eachSetting(c, func(name string, v trace.Value) {
		other = other || isOther(name, v) || strings.HasSuffix(v.Text, ":drop:all") || strings.HasSuffix(v.Text, ":purge:all")
	})
	return other
}

// isOther reports whether the value of a flag or a variable names one of these: production, an environment that is
// neither for tests nor on this machine, or a database that is neither for tests nor on this machine.
func isOther(name string, v trace.Value) bool {
	known := v.Text == "" || trace.NamesTest(v.Text)
	switch {
	case words.InName(v.Text, "prod production live staging"):
		return true
	case isEnvironment(name):
		return isName(v.Text) && !isTestOrLocal(v.Text)
	case matchesAny("url|uri|dsn|connection|*-url|*_URL|*_URI|*_HOST|PGHOST", name):
		return v.Partial && !known || trace.IsForeign(trace.HostOf(v.Text))
	case IsOneOf(name, "database|db"):
		return isName(v.Text) && !known && !IsOneOf(v.Text, "default|primary|sqlite|mysql|mariadb|pgsql|postgres")
	}
	return false
}

// eachSetting calls visit() for each setting and each operand. A setting is NAME=value, --name=value or --name value.
// The parameters of visit() are the name without hyphens and the value. The name is empty for an operand.
func eachSetting(c *trace.Command, visit func(name string, v trace.Value)) {
	before := ""
	for _, v := range c.Args() {
		name, text, ok := strings.Cut(v.Text, "=")
		switch flag := strings.TrimLeft(name, "-"); {
		case ok && (flag != name || isName(name)):
			v.Text = text
			visit(flag, v)
			before = ""
		case flag != name:
			before = flag
		default:
			visit(before, v)
			before = ""
		}
	}
}

// UsesTestDatabase reports whether the variable DATABASE_URL names a database in memory, in a file for tests or in a
// temporary folder, or a test database on this machine.
func UsesTestDatabase(t *trace.Trace, s *trace.Scope) bool {
	v := s.Exported("DATABASE_URL")
	text, query, _ := strings.Cut(v.Text, "?")
	scheme, file, _ := strings.Cut(text, ":")
	switch {
	case v.Partial && !trace.IsNumbered(v.Text):
		return false
	case scheme != "file" && scheme != "sqlite":
		name := words.AfterLast(file, "/")
		return len(t.Tunnels) == 0 && trace.IsLoopback(trace.HostOf(text)) && !namesServer(query) &&
			words.InName(name, "test tests testing tmp temp") && !strings.Contains(name, "prod")
	case strings.HasPrefix(strings.TrimLeft(file, "/."), "tmp/") && !strings.Contains(file, "/.."):
		return true
	}
	stem, _, _ := strings.Cut(words.AfterLast(file, "/"), ".")
	return stem == ":memory:" || matchesAny("test|testing|*_test|*-test|test_*|test-*", stem) && !strings.Contains(stem, "prod")
}

// namesServer reports whether the query of a database's address may name another host or database.
func namesServer(query string) bool {
	return words.HasPart(query, "host|db|service|port|%")
}
