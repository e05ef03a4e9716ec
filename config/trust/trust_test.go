package trust_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/config/trust"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnlyARecordThatAPersonMadeCounts(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(text []byte) []byte
		holds bool
	}{
		"the person's own":  {func(text []byte) []byte { return text }, true},
		"without signature": {func(text []byte) []byte { return text[:bytes.LastIndexByte(text, '}')+1] }, false},
		"for another state of the files": {func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"hash":"`), []byte(`"hash":"0`), 1)
		}, false},
		"with zeros for a signature": {func(text []byte) []byte {
			return append(text[:bytes.LastIndexByte(text, '}')+1], "0000000000000000"...)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			env := func(name string) string { return map[string]string{"HOME": base}[name] }
			root := filepath.Join(base, "project")
			must(t, os.MkdirAll(filepath.Join(root, ".claude"), 0o700))
			must(t, os.WriteFile(filepath.Join(root, ".claude/guardrails.yaml"), []byte("environment: container\n"), 0o600))
			hash, err := trust.Hash(root)
			must(t, err)
			must(t, trust.Trust(env, root, hash, time.Now()))
			file := trust.File(env, root)
			text, err := os.ReadFile(file)
			must(t, err)
			must(t, os.WriteFile(file, c.forge(text), 0o600))
			known, holds := trust.Holds(env, root)
			if !known || holds != c.holds {
				t.Errorf("known %v, holds %v", known, holds)
			}
			if list, err := trust.List(env); err != nil || (len(list) == 1) != c.holds {
				t.Errorf("got %v, %v", list, err)
			}
		})
	}
}

func TestARecordOfAnotherProjectIsWorthNothing(t *testing.T) {
	base := t.TempDir()
	env := func(name string) string { return map[string]string{"HOME": base}[name] }
	for _, root := range []string{"one", "two"} {
		must(t, os.MkdirAll(filepath.Join(base, root, ".claude"), 0o700))
		must(t, os.WriteFile(filepath.Join(base, root, ".claude/guardrails.yaml"), []byte("environment: container\n"), 0o600))
	}
	one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
	hash, err := trust.Hash(one)
	must(t, err)
	must(t, trust.Trust(env, one, hash, time.Now()))
	must(t, os.Rename(trust.File(env, one), trust.File(env, two)))
	if _, holds := trust.Holds(env, two); holds {
		t.Error("the record of one project makes another one trusted")
	}
}
