package toolcall

import (
	"strings"
	"testing"
)

// TestACallMayDeleteFoldersThatItHasMade runs commands in a project that has no folder whose name begins with "new".
// All other files exist.
func TestACallMayDeleteFoldersThatItHasMade(t *testing.T) {
	env := tableEnv()
	env.Missing = func(path string) bool { return strings.HasPrefix(path, env.Root+"/new") }
	for _, c := range []tableCase{
		{Command: "mkdir -p new && openssl req -x509 -nodes -keyout new/dev.key -out new/dev.crt; rm -r new", None: true},
		{Command: "mkdir -p new/deep && cp src/a.ts new/deep && rm -rf new", None: true},
		{Command: "mkdir new && touch new/x && rm -rf new/x new", None: true},
		{Command: "rm -rf report_files", None: true},
		{Command: "rm -rf new_files", Events: []string{"destructive_op"}},
		{Command: "mkdir -p lib && rm -r lib", Events: []string{"destructive_op"}},
		{Command: "mkdir -p lib/new && rm -r lib", Events: []string{"destructive_op"}},
		{Command: "rm -r new; mkdir new", Events: []string{"destructive_op"}},
		{Command: "mkdir new && mv src new/ && rm -rf new", Events: []string{"destructive_op"}},
		{Command: "mkdir new && rm -rf new src", Events: []string{"destructive_op"}},
		{Command: "mkdir new && rm -rf new/../src", Events: []string{"destructive_op"}},
	} {
		checkCase(t, c, AnalyzeCommand(env, c.Command))
	}
}
