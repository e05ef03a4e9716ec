package toolcall

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/packages"
	"guardrails/detect/toolcall/trace"
)

// scriptCase is a call that runs files on disk. It includes the result that the analysis must have.
type scriptCase struct {
	tableCase
	// Files maps the absolute paths of the files on disk to their contents.
	Files map[string]string `json:"files"`
	// Committed lists the files that are committed in the project.
	Committed []string `json:"committed"`
	// Read lists the scripts that the analysis must read.
	Read []string `json:"read"`
	Why  string   `json:"why"`
}

// list() returns the names in a folder of the test case, as Env.List does for a real folder.
func (c *scriptCase) list(folder string) (files, folders []string) {
	for _, path := range slices.Sorted(maps.Keys(c.Files)) {
		rest, ok := strings.CutPrefix(path, folder+"/")
		switch name, _, deep := strings.Cut(rest, "/"); {
		case !ok:
		case deep:
			folders = append(folders, name)
		default:
			files = append(files, name)
		}
	}
	return files, folders
}

func TestScriptsThatACallRunsAreRead(t *testing.T) {
	cases := readJSON[[]scriptCase](t, "testdata/scripts.json")
	cases = append(cases, readJSON[[]scriptCase](t, "testdata/script_tools.json")...)
	for _, c := range append(cases, readJSON[[]scriptCase](t, "testdata/script_ways.json")...) {
		env := tableEnv()
		env.Script = func(path string, limit int64) ([]byte, bool) {
			text, ok := c.Files[path]
			return []byte(text), ok && int64(len(text)) <= limit
		}
		env.List = c.list
		got := AnalyzeCommand(env, c.Command)
		Trust(got, func(s *effect.Script) bool { return slices.Contains(c.Committed, s.Path) })
		checkCase(t, c.tableCase, got)
		var read []string
		for _, s := range got.Scripts {
			read = append(read, s.Path)
		}
		if !slices.Equal(read, c.Read) {
			t.Errorf("%s\n\tread %q, want %q", c.Command, read, c.Read)
		}
	}
}

func TestAScriptWithAByteThatIsNotUTF8IsRead(t *testing.T) {
	env := tableEnv()
	env.Script = func(string, int64) ([]byte, bool) { return []byte("# caf\xe9\nrm -rf ~ # \xff\n"), true }
	got := AnalyzeCommand(env, "sh x.sh")
	if events := eventsOf(got, nil); !slices.Equal(events, []string{"destructive_op", "system_delete"}) {
		t.Errorf("events %v", events)
	}
}

// TestScriptsWithinTheirLimits checks that a script beyond a limit adds no effects of its own, and does not hide the
// effects that were found before. If a script cannot be read to its end, a person must approve the call.
func TestScriptsWithinTheirLimits(t *testing.T) {
	many := map[string]string{}
	for name, text := range map[string]string{
		"loop.sh":       "rm -rf ~\nfor i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do for k in 1 2 3 4 5 6 7 8 9; do for l in 1 2 3 4 5 6 7 8 9; do for m in 1 2 3 4 5 6 7 8 9; do cp a b; done; done; done; done; done\n",
		"deep.sh":       strings.Repeat("(", 400) + "ls" + strings.Repeat(")", 400),
		"large.sh":      strings.Repeat("#", trace.MaxScriptSize+1),
		"large.py":      strings.Repeat("#", trace.MaxScriptSize+1),
		"large.js":      strings.Repeat("/", trace.MaxScriptSize+1),
		"dist/a.js":     strings.Repeat("/", trace.MaxScriptSize+1),
		"long.sh":       strings.Repeat("echo a\n", trace.MaxEffects+1) + "rm -rf src\n",
		"runs-long.sh":  "sh long.sh\n",
		"runs-large.sh": "sh large.sh\n",
		"chain0.sh":     "rm -rf src\n",
		"first.sh":      "sh chain20.sh\n",
		"self.sh":       "sh ./self.sh; sh self.sh; . ./self.sh; $0; bash \"$0\"\n",
	} {
		many["/home/dev/project/"+name] = text
	}
	for i := 1; i <= 20; i++ {
		many[fmt.Sprintf("/home/dev/project/chain%d.sh", i)] = fmt.Sprintf("sh chain%d.sh\n", i-1)
	}
	env := tableEnv()
	env.Script = func(path string, limit int64) ([]byte, bool) {
		text, ok := many[path]
		return []byte(text), ok && int64(len(text)) <= limit
	}
	for command, want := range map[string][]string{
		"sh loop.sh":                     {"destructive_op", "opaque_execution", "system_delete"},
		"sh deep.sh":                     {"opaque_execution"},
		"sh long.sh":                     {"opaque_execution"},
		"sh runs-long.sh":                {"opaque_execution"},
		"sh runs-large.sh":               {"opaque_execution"},
		"sh first.sh":                    {"opaque_execution"},
		"sh chain14.sh":                  {"destructive_op"},
		"sh long.sh; sh self.sh":         {"opaque_execution"},
		"sh large.sh":                    {"opaque_execution"},
		"python3 large.py":               {"opaque_execution"},
		"node large.js":                  {"opaque_execution"},
		"node dist/a.js":                 nil,
		"awk -f large.py a.txt":          {"opaque_execution"},
		"sh self.sh":                     nil,
		"sh loop.sh; echo x > ~/.bashrc": {"destructive_op", "opaque_execution", "outside_write", "startup_change", "system_delete"},
	} {
		got := AnalyzeCommand(env, command)
		if events := eventsOf(got, nil); !slices.Equal(events, want) || len(got.Effects) >= trace.MaxEffects {
			t.Errorf("%s: %d effects with the events %v, want %v", command, len(got.Effects), events, want)
		}
	}
}

func TestTheNumberOfScriptsInOneCallIsLimited(t *testing.T) {
	reads := 0
	env := tableEnv()
	env.Script = func(string, int64) ([]byte, bool) { reads++; return []byte("ls\n"), true }
	var b strings.Builder
	for i := range 100 {
		b.WriteString("sh x" + strconv.Itoa(i) + ".sh; sh same.sh; ")
	}
	got := AnalyzeCommand(env, b.String())
	events := eventsOf(got, nil)
	if reads > trace.MaxScripts || len(got.Scripts) > trace.MaxScripts || !slices.Equal(events, []string{"opaque_execution"}) {
		t.Errorf("%d reads, %d scripts, %v", reads, len(got.Scripts), events)
	}
}

func FuzzMakefiles(f *testing.F) {
	for _, seed := range []string{
		"all: a b\n\techo $@ $< $^ $(X) ${Y} $$HOME\nX = $(Y)\nY = $(X)\n", "a:;ls\nb::c\n\tls\\\n -l\n", "define x\n\trm\nendef\nifeq ($(A),b)\nX != ls\nelse\nX += $(shell ls $(Y))\nendif\n",
		"%.o: %.c\n\tcc $<\n$(T): $(", "a: b = c\n: x\n=\n:=\n$\n", "\t\n\tls",
		"X = " + strings.Repeat("$(X)", 500) + "\nall:\n\t$(X)\n",
	} {
		f.Add(seed, "all")
	}
	f.Fuzz(func(t *testing.T, text, target string) {
		m := packages.ParseMakefile(text)
		if len(m.Rules) > packages.MaxMakeRules {
			t.Errorf("%d rules", len(m.Rules))
		}
		for _, rule := range m.Needed(target) {
			for _, line := range rule.Recipe {
				// The limit is checked before each word, so the last word may go beyond it.
				if got := m.Expand(line, rule); len(got) > packages.MaxMakeText+len(text)+64 {
					t.Errorf("%d bytes of %q", len(got), line)
				}
			}
		}
		packages.PackageLines(text, target)
		shebang(text)
	})
}
