package toolcall

import (
	"slices"
	"testing"

	"guardrails/detect/effect"
)

// TestScriptsThatContainersAndCompilersRunAreRead analyzes commands that pass files on disk to a container, another
// machine or a compiler.
func TestScriptsThatContainersAndCompilersRunAreRead(t *testing.T) {
	for _, c := range readJSON[[]scriptCase](t, "testdata/container_scripts.json") {
		env := tableEnv()
		env.Script = func(path string, limit int64) ([]byte, bool) {
			text, ok := c.Files[path]
			return []byte(text), ok && int64(len(text)) <= limit
		}
		got := AnalyzeCommand(env, c.Command)
		Trust(got, func(s *effect.Script) bool { return slices.Contains(c.Committed, s.Path) })
		checkCase(t, c.tableCase, got)
	}
}
