package guidelinefiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/fortests/need"
	"guardrails/service/guidelinefiles"
)

// Hooks compare the guideline files before and after each call. If hooks cannot compare a file, guardrails does not
// read this file.
func TestGuidelineFilesThatHooksCannotCompareAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"a.yaml": "", "b.txt": "", "line\nbreak.yaml": "tab or a line break", "tab\t.json": "tab or a line break",
		"folder.yml/": "is a folder",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, strings.TrimSuffix(name, "/"))
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			need.Missing(t, err) // not every system allows these names
		}
		found, problems := guidelinefiles.In(dir)
		if want == "" && len(problems) > 0 || want != "" && (len(found) > 0 || !strings.Contains(problems.Error(), want)) {
			t.Errorf("%q: got %q, %v", name, found, problems)
		}
	}
}
