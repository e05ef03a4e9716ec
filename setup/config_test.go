package setup_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/setup"
)

// load() reads a guardrails.yaml with package config, as the programs do.
func load(t *testing.T, text string) (config.Config, error) {
	t.Helper()
	root := t.TempDir()
	name := filepath.Join(root, filepath.FromSlash(config.File))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l := config.Read(config.Places{Root: root}, func(string) string { return "" })
	return l.Combine(false), l.Problems().Err()
}

// chosen() returns the text of guardrails.yaml after Prepare has added packs and strict mode. It also returns the
// reasons for the change. The parameter "before" is the previous text, or nil if there is no file.
func chosen(t *testing.T, before *string, strict bool, packs ...string) (string, []string, error) {
	t.Helper()
	d := disk{}
	if before != nil {
		d[configFile] = *before
	}
	o := d.project()
	o.Strict, o.Packs = strict, packs
	plan, err := setup.Prepare(o)
	if err != nil {
		return "", nil, err
	}
	for _, c := range plan.Changes {
		if c.Path == configFile {
			return string(c.After), c.Reasons, nil
		}
	}
	return d[configFile], nil, nil
}

func TestNewConfigContainsTheChosenSettings(t *testing.T) {
	for _, c := range []struct {
		strict bool
		packs  []string
		want   []string
	}{{false, nil, []string{"core"}}, {true, []string{"core", "roles"}, []string{"core", "roles"}}} {
		text, _, err := chosen(t, nil, c.strict, c.packs...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := load(t, text)
		if err != nil || got.Strict != c.strict || !reflect.DeepEqual(got.Packs, c.want) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// The test reads the comments of a new file as if they were settings, because they must be correct examples.
func TestNewConfigExplainsEveryKeyWithAWorkingExample(t *testing.T) {
	text, _, err := chosen(t, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^# ([a-z_]+: )`).ReplaceAllString(text, "$1")
	if _, err := load(t, all); err != nil {
		t.Errorf("%v in\n%s", err, all)
	}
	_, err = load(t, "unknown_to_all: 1\n")
	_, known, _ := strings.Cut(err.Error(), "the known fields are ")
	for key := range strings.SplitSeq(known, ", ") {
		if !strings.Contains(all, "\n"+key+": ") {
			t.Errorf("the key %s is not explained", key)
		}
	}
}

func TestExistingConfigIsChangedAsLittleAsPossible(t *testing.T) {
	for _, c := range []struct {
		name, before string
		strict       bool
		packs        []string
		want         string
	}{
		{"no choice", "packs: []\n", false, nil, "packs: []\n"},
		{"nothing to change", "packs: [roles, core] # both\nstrict: true\n", true, []string{"core"}, "packs: [roles, core] # both\nstrict: true\n"},
		{"another item in brackets", "packs: [ core ]  # why\ntenant: a\n", false, []string{"roles"}, "packs: [ core, roles]  # why\ntenant: a\n"},
		{"a new item among repeated ones", "packs: ['core']", false, []string{"roles", "roles", "core"}, "packs: ['core', roles]"},
		{"the first item in brackets", "packs: []\n", false, []string{"core", "roles"}, "packs: [core, roles]\n"},
		{"the first item after the key", "packs:\r\ntenant: a\r\n", false, []string{"core"}, "packs: [core]\r\ntenant: a\r\n"},
		{"another item on its own line", "packs:\n  # ours\n  - core # why\n\ntenant: a\n", false, []string{"roles"}, "packs:\n  # ours\n  - core # why\n  - roles\n\ntenant: a\n"},
		{"another item at the end of the file", "packs:\r\n- core", false, []string{"roles"}, "packs:\r\n- core\r\n- roles\r\n"},
		{"a key that is missing", "tenant: a # us\n", true, []string{"core"}, "tenant: a # us\npacks: [core]\nstrict: true\n"},
		{"only comments", "# mine", true, nil, "# mine\nstrict: true\n"},
		{"a commented setting", "tenant: a\r\n# strict: true\r\n", true, nil, "tenant: a\r\nstrict: true\r\n"},
		{"a commented setting with another value set", "# strict: true\nstrict: false\n", true, nil, "# strict: true\nstrict: true\n"},
		{"an empty file", "", false, []string{"core"}, "packs: [core]\n"},
		{"not strict", "strict: false # for now\n", true, nil, "strict: true # for now\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := chosen(t, &c.before, c.strict, c.packs...)
			if err != nil || got != c.want {
				t.Errorf("got %q, %v", got, err)
			}
			if _, err := load(t, got); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestConfigThatCannotBeEditedSafelyIsRefusedWithInstructions(t *testing.T) {
	const byHand = "cannot be edited without changing other parts of the file; write "
	for _, c := range []struct{ name, before, want string }{
		{"brackets over several lines", "packs: [\n  core,\n]\n", `:1: packs: ` + byHand + `"packs: [core, roles]" by hand and run the command again`},
		{"one object in braces", "{tenant: a}\n", `: packs: ` + byHand + `"packs: [roles]" by hand and run the command again`},
		{"not a list", "packs: core\n", `:1: packs: ` + byHand + `"packs: [roles]" by hand and run the command again`},
		{"two documents", "tenant: a\n---\ntenant: b\n", ": must be one mapping of setting names to values; edit it yourself"},
		{"a list", "- a\n", ": must be one mapping of setting names to values; edit it yourself"},
		{"not YAML", "tenant: [\n", ":2: is not YAML: did not find expected node content while parsing a flow node; fix the syntax here"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := chosen(t, &c.before, false, "roles")
			if err == nil || err.Error() != configFile+c.want {
				t.Errorf("got  %v\nwant %s%s", err, configFile, c.want)
			}
		})
	}
}

func TestSettingsChangedAfterInitAreKept(t *testing.T) {
	created := disk{}.setUp(t, nil)
	old := disk{configFile: "# mine\n"}.setUp(t, func(o *setup.Options) { o.Strict = true })
	for name, d := range map[string]disk{"created": created, "changed": old} {
		d[configFile] += "tenant: a\n"
		want := d[configFile]
		o := d.project()
		o.Uninstall = true
		next, plan := d.filesAfter(t, o)
		if next[configFile] != want || len(plan.Notes) != 1 || !strings.HasPrefix(plan.Notes[0], configFile+": is kept") {
			t.Errorf("%s: %q, %q", name, next[configFile], plan.Notes)
		}
	}
}

func TestConfigWrittenByInitIsRecognizedWithoutARecord(t *testing.T) {
	d := disk{}.setUp(t, func(o *setup.Options) { o.Packs, o.Strict = []string{"roles"}, true })
	delete(d, recordFile)
	if next := d.uninstalled(t); next[configFile] != "" {
		t.Errorf("%s was not removed", next[configFile])
	}
}
