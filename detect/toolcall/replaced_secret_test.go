package toolcall_test

import (
	"slices"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
)

// A file with secrets is not in git, so nobody can restore it after a call has replaced its content.
func TestACallThatReplacesAFileWithSecretsIsDestructive(t *testing.T) {
	exists := map[string]bool{"/p/.env": true, "/p/.env.production": true}
	env := &toolcall.Env{
		Root: "/p", Cwd: "/p", Home: "/home/dev", Missing: func(path string) bool { return !exists[path] },
		List: func(string) (files, folders []string) { return []string{".env", ".env.production", "a.js"}, nil },
	}
	for command, replaces := range map[string]bool{
		"cat > .env <<'EOF'\nA=1\nEOF":                  true,
		"cp .env.example .env":                          true,
		"echo A=1 > /tmp/e && mv -f /tmp/e .env":        true,
		"printf 'A=1\\n' | dd of=.env status=none":      true,
		"echo A=1 | tee .env":                           true,
		"python3 -c \"open('.env', 'w').write('A=1')\"": true,
		"node -e \"fs.writeFileSync('.env', 'A=1')\"":   true,
		": > .env":                   true,
		"rm .env":                    true,
		"cp .env.example .env.local": false,
		"echo A=1 > .env.local && echo B=2 > .env.local": false,
		"rm -f .env.local":                                  false,
		"echo A=1 >> .env":                                  false,
		"echo A=1 | tee -a .env":                            false,
		"sed -i 's/^A=.*/A=2/' .env":                        false,
		"op inject -i .env.tpl -o .env":                     false,
		"vault kv get -field=env secret/app > .env":         false,
		"grep -v '^A=' .env > .env.new && mv .env.new .env": false,
		"cp .env.production .env":                           false,
		"touch .env":                                        false,
		"python3 -c \"open('.env', 'a').write('A=1')\"":     false,
	} {
		if got := hasEvent(toolcall.AnalyzeCommand(env, command), effect.DestructiveOp); got != replaces {
			t.Errorf("%s: replaces secrets: %v, want %v", command, got, replaces)
		}
	}
	for input, replaces := range map[string]bool{
		`{"file_path": "/p/.env", "content": "A=1"}`:       true,
		`{"file_path": "/p/.env.local", "content": "A=1"}`: false,
	} {
		if got := hasEvent(toolcall.Analyze(env, "Write", []byte(input)), effect.DestructiveOp); got != replaces {
			t.Errorf("Write %s: replaces secrets: %v, want %v", input, got, replaces)
		}
	}
	edit := `{"file_path": "/p/.env", "old_string": "A=1", "new_string": "A=2"}`
	if hasEvent(toolcall.Analyze(env, "Edit", []byte(edit)), effect.DestructiveOp) {
		t.Error("an edit of one line replaces the file")
	}
}

func hasEvent(call *effect.Analysis, event effect.Event) bool {
	return slices.ContainsFunc(call.Effects, func(e effect.Effect) bool { return e.Has(event) })
}
