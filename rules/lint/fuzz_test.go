package lint_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/rules"
	"guardrails/rules/lint"
)

// FuzzCheck checks each file twice. Both results must be the same.
func FuzzCheck(f *testing.F) {
	for _, rule := range lint.Rules() {
		text, err := os.ReadFile(filepath.Join("testdata", rule+".yaml"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, _ := rules.Parse("f.yaml", text)
		loaded := &rules.Loaded{Guidelines: file.Guidelines}
		options := lint.Options{MaxInstruction: 50}
		if first, second := lines(lint.Check(loaded, options)), lines(lint.Check(loaded, options)); first != second {
			t.Errorf("two checks differ:\n%s\n%s", first, second)
		}
	})
}
