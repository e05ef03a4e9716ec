package toolcall

import (
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
)

// TestOtherRoutesToTheGuardsFiles reads testdata/routes.txt. The file itself explains its lines.
func TestOtherRoutesToTheGuardsFiles(t *testing.T) {
	text, err := os.ReadFile("testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		kind, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "guard" && kind != "fine" {
			continue
		}
		env := installedEnv()
		env.Guardless = func(TreeChange) bool { return true }
		env.Variable = func(name string) string {
			switch name {
			case "XDG_RUNTIME_DIR":
				return "/run/user/7"
			case "XDG_STATE_HOME", "XDG_DATA_HOME":
				return "/home/dev/.local/" + map[string]string{"XDG_STATE_HOME": "state", "XDG_DATA_HOME": "share"}[name]
			}
			return ""
		}
		got := AnalyzeCommand(env, command)
		tampers := slices.ContainsFunc(got.Effects, func(e effect.Effect) bool { return e.Has(effect.GuardTamper) })
		if tampers != (kind == "guard") {
			t.Errorf("%s\n%s", line, report(got))
		}
	}
}
