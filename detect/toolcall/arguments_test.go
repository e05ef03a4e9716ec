package toolcall

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
)

// oddArguments returns lists of arguments on which parsers of options often fail: no arguments, only flags, and missing
// or empty values.
func oddArguments() []string {
	return []string{
		"", "''", "-", "--", "-c", "-e", "-o", "-X", "-n", "--help", "--=", "-=x", "a", "a b", "'' ''", "-- --", "run", "run --", "exec", "exec --", "exec a", "get", "delete", "config", "config set",
		"set", "s3", "s3 cp", "s3 cp a", "s3 sync", "storage", "storage cp", "api", "gist create", "compose", "compose exec", "compose run -v", "compose run -v :", "run -v x:", "run -v :/x a", "run --mount , a",
		"cp", "cp a", "cp a:b", "-v", "-9", "-s", "-1", "new-session", "send-keys", "send-keys Enter", "-E", "-E rm", "-E copy", "npm", "workspace", "workspace a", "tool", "tool run", "pip", "env -w",
		"kv", "auth", "query", "db", "alias set", "alias set a '!'", "bucket", "system", "EXEC: TCP:", "EXEC:", "TCP:a", ":", "a:", ":a", "@", "=", "a=@", "-d @", "-F x=", "-F x=@", "-T ''", "owner", "token",
		"-e ''", "-c ''", "-c ';'", "-c \"'\"", "-c '$$'", "-c '/*'", "-c '/*!'", "-c '\\'", "-c '.'", "-c 'COPY'", "-c 'DROP'", "-c 'GRANT'", "-c 'ALTER TABLE x DROP'", "put", "x 'put'", "$(x)", "\"$x\" y", "*",
		"a.db", "a.db ''", "a.db .", "a.db '.read'", "a.db '.output |'", "+x", "777", "+s", "-R", "-R ,", "--eval", "-f -", "ssh", "ssh -c", "runner", "migrate", "migrate a zero", "a reset",
	}
}

// TestProgramsWithUnusualArguments analyzes calls of every known program with every unusual list of arguments. The
// analysis must not panic.
func TestProgramsWithUnusualArguments(t *testing.T) {
	for _, name := range knownPrograms(t) {
		for _, args := range oddArguments() {
			doesNotFail(t, tableEnv(), name+" "+args)
			doesNotFail(t, nil, "echo 'x\ny' | "+name+" "+args)
		}
	}
}

// knownPrograms returns the names of all programs that have a handler. Their names are words in the texts of the source
// code of this package and the packages below it.
func knownPrograms(t *testing.T) []string {
	t.Helper()
	known := map[string]bool{"mkfs.ext4": true, "newfs_msdos": true} // found by the beginning of their names
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING {
				value, _ := strconv.Unquote(text.Value)
				for word := range strings.FieldsSeq(value) {
					known[word] = known[word] || handlerOf(word) != nil
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(known, func(_ string, has bool) bool { return !has })
	if !known["rm"] || !known["kubectl"] || len(known) < 1000 {
		t.Errorf("only %d programs were found", len(known))
	}
	return slices.Sorted(maps.Keys(known))
}

// TestSubcommandsWithoutTheirArguments analyzes calls of every subcommand in the tables: without arguments, and with a
// last option that lacks its value. The analysis must not panic.
func TestSubcommandsWithoutTheirArguments(t *testing.T) {
	for _, table := range tables() {
		for _, name := range programsOf(table) {
			options := strings.Fields(lastOptions)
			for _, row := range table.Rows(name) {
				for word := range strings.FieldsFuncSeq(row.Order, func(c rune) bool { return strings.ContainsRune(" +|!", c) }) {
					options = append(options, "-"+word, "--"+word)
				}
			}
			for _, row := range table.Rows(name) {
				command := name
				for word := range strings.FieldsSeq(row.Order) {
					first, _, _ := strings.Cut(word, "|")
					if first = strings.TrimLeft(first, "+!"); first != "*" {
						command += " " + first
					}
				}
				doesNotFail(t, tableEnv(), command)
				if !strings.HasPrefix(row.Outcome, "code ") {
					continue // only rows with a function look for the values of options
				}
				for _, option := range options {
					doesNotFail(t, tableEnv(), command+" "+option)
				}
			}
		}
	}
}

// lastOptions are options that take a value in many programs.
const lastOptions = "-a -b -c -d -e -f -g -i -k -l -m -n -o -p -q -r -s -t -u -v -w -x -A -C -D -E -F -H -I -O -P -Q -X " +
	"--args --body --bucket --command --config --cli-input-json --data --database --dir --eval --exec --execute --field --file " +
	"--format --from-file --input --key --local --message --method --name --namespace --options --out --output --param --path " +
	"--policy --prefix --project --query --ref --region --remote --request --role --script --source --target --to --type " +
	"--url --user --value --var --with"

func doesNotFail(t *testing.T, env *trace.Env, command string) {
	t.Helper()
	for _, e := range AnalyzeCommand(env, command).Effects {
		if strings.Contains(e.Reason, trace.Failed) {
			t.Errorf("the analysis of %q panics", command)
		}
	}
}

func TestNamesOfTestPrograms(t *testing.T) {
	for name, want := range map[string]bool{
		"pytest": true, "py.test": true, "jest": true, "tox": true, "scripts/test.sh": true, "run-tests.sh": true, "tests/test_api.py": true, "app.test.js": true,
		"test": false, "server.js": false, "latest.sh": false, "contest.py": false, "build.sh": false, "": false, "/": false, "test.txt": false,
	} {
		if got := program.IsTestProgram(name); got != want {
			t.Errorf("isTestProgram(%q) = %v, want %v", name, got, want)
		}
	}
}

// TestEverydayCommandIsFast limits the number of allocations for ordinary calls. It does not measure times, because
// they depend on the machine.
func TestEverydayCommandIsFast(t *testing.T) {
	for _, command := range []string{"docker compose ps", "kubectl get pods -A", "npm run build", "curl -s https://example.com/x", "terraform plan", "psql -c 'SELECT 1'"} {
		allocs := testing.AllocsPerRun(20, func() { AnalyzeCommand(tableEnv(), command) })
		if allocs > 120 {
			t.Errorf("%s takes %.0f allocations, more than 120", command, allocs)
		}
	}
}

func BenchmarkInfrastructureCommand(b *testing.B) {
	b.ReportAllocs()
	env := tableEnv()
	for b.Loop() {
		AnalyzeCommand(env, `docker compose exec -T db psql -U app -d app -c "SELECT count(*) FROM users"`)
	}
}

// FuzzSQL checks that the scanner for SQL accepts any text.
func FuzzSQL(f *testing.F) {
	for _, seed := range []string{"SELECT 1", "DROP TABLE x;", "DO $$ x $$", "/*!50000 x*/", "'a''b", "\\! ls\n.shell x\n\\o |cat", "UPDATE a SET b = 'c' WHERE 1=1", "COPY x TO PROGRAM 'ls'", "$a$ b", "--\n-", "COPY PROGRAM\"0&0\xf3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := newTrace(tableEnv(), "Bash")
		c := &trace.Command{Name: "psql", Argv: []trace.Value{{Text: "psql"}}, Scope: &trace.Scope{Cwd: "/home/dev/project"}}
		a.EmitRun(c)
		database.SQL(a, c, text)
		if a.Depth != 0 {
			t.Errorf("the depth is %d afterwards", a.Depth)
		}
	})
}
