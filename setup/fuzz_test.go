package setup_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"guardrails/rules"
	"guardrails/setup"
)

// FuzzPlan installs and uninstalls the product with any text as the client's settings. Prepare must reject the text, or
// add our entries and change nothing else. A second run must change nothing, and uninstalling must restore the text.
func FuzzPlan(f *testing.F) {
	const ours = `{"type":"command","command":"/old/guardrails-enforce","args":[],"timeout":5}`
	for _, seed := range []string{
		``, `{}`, `{ "hooks" : { } }`, `{"hooks":{"Stop":[]}}`, "{\r\n\t\"a\": 1\r\n}", `{"hooks":null}`, `{"hooks":{"Stop":[{"hooks":[]}]}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[` + ours + `]}]}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"x"},` + ours + `]},{"hooks":[` + ours + `]}]}}`,
		`{"hooks":{"Notification":[{"hooks":[` + ours + `]}]},"enabledMcpjsonServers":[]}`, `{"disableAllHooks":true}`, `{"a":1,}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := disk{settingsFile: string(text)}
		if _, err := setup.Prepare(before.project()); err != nil {
			return
		}
		during := before.setUp(t, nil)
		if !maps.Equal(during.setUp(t, nil), during) {
			t.Fatalf("a second run changes %q", during[settingsFile])
		}
		checkEntries(t, during[settingsFile])
		if got, want := withoutHooks(t, []byte(during[settingsFile])), withoutHooks(t, text); !reflect.DeepEqual(got, want) {
			t.Fatalf("the other settings are %v, want %v", got, want)
		}
		if strings.Contains(string(text), "guardrails-") {
			return // uninstalling also removes entries that existed before
		}
		if after := during.uninstalled(t); !maps.Equal(after, before) {
			t.Fatalf("got %q, want %q", after, before)
		}
	})
}

// checkEntries checks that our entries in a text are exactly the wanted ones.
func checkEntries(t *testing.T, text string) {
	t.Helper()
	entries, err := setup.Hooks("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, e := range entries {
		if e.Ours() && e.SeesEverything() && e.Timeout == 10 && len(e.Others) == 0 && strings.Contains(e.Command, "/usr/local/bin/guardrails-") {
			seen[e.Event]++
		} else if e.Ours() {
			t.Fatalf("unexpected entry %+v", e)
		}
	}
	if len(seen) != 9 || seen["PreToolUse"] != 1 {
		t.Fatalf("the entries are %v", seen)
	}
}

// withoutHooks returns a document without its hooks.
func withoutHooks(t *testing.T, text []byte) map[string]any {
	t.Helper()
	all := map[string]any{}
	if trimmed := strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")); trimmed != "" {
		if err := json.Unmarshal([]byte(trimmed), &all); err != nil {
			t.Fatal(err)
		}
	}
	delete(all, "hooks")
	return all
}

// FuzzConfig sets a pack and strict mode with any text as guardrails.yaml. Prepare must reject the text, or set the
// pack and strict mode and change nothing else. Uninstalling must restore the text.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"", "# c", "packs: [core]\n", "packs:\r\n- core # x\r\n", "packs:\n  - core\nstrict: false # no", "{packs: [core]}", "packs: [\ncore]", "packs:",
		"packs: core", "a: |\n  packs: [x]\n# strict: true\n", "---\npacks: []\n...\n", "\ufeffpacks: ['core']", "strict: yes\n", "\"packs\": [ core, ]", "domains: {a: [b]}", "packs:\r-",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before := disk{configFile: text}
		change := func(o *setup.Options) { o.Strict, o.Packs = true, []string{"roles"} }
		o := before.project()
		change(&o)
		if _, err := setup.Prepare(o); err != nil {
			return
		}
		during := before.setUp(t, change)
		if !maps.Equal(during.setUp(t, change), during) {
			t.Fatalf("a second run changes %q", during[configFile])
		}
		was, now := configValues(t, text), configValues(t, during[configFile])
		packs, _ := now["packs"].([]any)
		if now["strict"] != true || len(packs) == 0 {
			t.Fatalf("%q became %q", text, during[configFile])
		}
		for _, key := range []string{"strict", "packs"} {
			delete(was, key)
			delete(now, key)
		}
		if !reflect.DeepEqual(was, now) {
			t.Fatalf("%q became %q", text, during[configFile])
		}
		if after := during.uninstalled(t); !maps.Equal(after, before) {
			t.Fatalf("got %q, want %q", after, before)
		}
	})
}

func configValues(t *testing.T, text string) map[string]any {
	t.Helper()
	docs, problems := rules.ParseYAML("f", []byte(text+"\n"))
	if len(docs) == 0 {
		return map[string]any{}
	}
	if len(docs) != 1 || problems.Err() != nil {
		t.Fatalf("%q: %v", text, problems)
	}
	values, _ := docs[0].Value().(map[string]any)
	return values
}
