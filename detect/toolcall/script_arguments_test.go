package toolcall

import "testing"

// TestACommandInTheArgumentsOfAScriptBelongsToTheCall analyzes scripts that run their arguments.
func TestACommandInTheArgumentsOfAScriptBelongsToTheCall(t *testing.T) {
	for _, c := range []struct {
		script, command string
		own             bool
	}{
		{"\"$@\"\n", "bash run.sh rm -rf src", true},
		{"set -e\nexec \"$@\"\n", "bash run.sh rm -rf src", true},
		{"eval \"$1\"\n", "bash run.sh 'rm -rf src'", true},
		{"eval \"$@\"\n", "./run.sh rm -rf src", true},
		{"rm -rf src\n", "bash run.sh", false},
		{"echo \"$@\"\nrm -rf src\n", "bash run.sh rm", false},
	} {
		env := tableEnv()
		env.Script = func(string, int64) ([]byte, bool) { return []byte(c.script), true }
		own := false
		for _, e := range AnalyzeCommand(env, c.command).Effects {
			own = own || e.Script == 0 && len(e.Events) > 0
		}
		if own != c.own {
			t.Errorf("%q with %q: belongs to the call: %v", c.command, c.script, own)
		}
	}
}
