package toolcall

import (
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
)

// TestDeletingManyFilesOneByOneIsADeletion reads testdata/deletions.txt. The file itself explains its lines.
func TestDeletingManyFilesOneByOneIsADeletion(t *testing.T) {
	text, err := os.ReadFile("testdata/deletions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		kind, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "many" && kind != "few" {
			continue
		}
		got := AnalyzeCommand(tableEnv(), command)
		loses := slices.ContainsFunc(got.Effects, func(e effect.Effect) bool {
			return e.Has(effect.DestructiveOp) || e.Has(effect.ProjectDelete) || e.Has(effect.DiscardChanges) || e.Has(effect.SystemDelete)
		})
		if loses != (kind == "many") {
			t.Errorf("%s\n%s", line, report(got))
		}
	}
}
