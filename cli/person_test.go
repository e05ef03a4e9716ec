package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/cli"
	"guardrails/cli/app"
)

// Each command is in one of two lists. The commands in needsPerson may only be run by a person. The commands in
// changesNothing change nothing that the guard depends on. A new command must be added to one of the lists. The values
// in needsPerson are arguments with which a command would change something.
var (
	needsPerson = map[string]string{
		"allow":        "'rm -rf old' --reason x --yes",
		"allow-once":   "ABCDEFGH --yes",
		"apply":        "-f DIR/vault.yaml",
		"audit accept": "--yes",
		"audit key":    "--rotate",
		"audit join":   "--yes",
		"audit prune":  "--keep-days 1 --yes",
		"audit split":  "--yes",
		"bootstrap":    "",
		"delete":       "vault",
		"fallback":     "open --session s1",
		"import":       "DIR/vault.yaml",
		"init":         "--uninstall",
		"packs update": "",
		"restore":      "vault@1",
		"toggle":       "vault off",
		"token create": "ci --role admin",
		"token revoke": "ci",
		"trust":        "",
		"ui":           "--print",
		"untrust":      "",

		"webhooks add":    "https://example.com/",
		"webhooks enable": "wh_1",
		"webhooks remove": "wh_1",
		"webhooks replay": "wh_1 dlv_1",
		"webhooks rotate": "wh_1",
		"webhooks test":   "wh_1",
	}
	// The commands "mcp" and "serve" are in this list, because the program guardrails-server itself checks who uses their
	// flags --admin and --open.
	changesNothing = strings.Fields(`mcp serve audit audit-export audit-heads audit-list audit-verify call check check-hyperfocus check-message check-pii check-response check-rumination
		check-sycophancy check-tool-loop completion detect diff doctor evaluate events explain
		export get guardrails help history lint list new packs packs-diff policies policies-lint policies-show policies-test replay schema statusline test token token-list trust-list version
		webhooks webhooks-deliveries webhooks-list`)
)

func TestEveryCommandThatCanLoosenTheGuardNeedsAPerson(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range everyCommand() {
		name := strings.TrimPrefix(c.CommandPath(), "guardrails ")
		seen[name] = true
		arguments, person := needsPerson[name]
		if person == slices.Contains(changesNothing, strings.ReplaceAll(name, " ", "-")) {
			t.Errorf("%s must be in one of the two lists", name)
			continue
		}
		if !person {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var said strings.Builder
			dir := t.TempDir()
			for name, text := range map[string]string{
				"vault.yaml":         "id: vault\nname: V\ncategory: security\naction: {type: tool_restriction, tools_denied: [Bash]}\n",
				".claude/rules/x.md": "# X\n\nTest first.\n",
			} {
				if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			system := &app.System{
				Stdin: strings.NewReader("y\n"), Stdout: &said, Stderr: &said, Cwd: dir, Interactive: true,
				Env:    func(name string) string { return map[string]string{"HOME": dir}[name] },
				User:   func() string { return "dev" },
				Person: func() error { return errors.New("nobody is here") },
			}
			args := append(strings.Fields(name), words(strings.ReplaceAll(arguments, "DIR", dir))...)
			if code := cli.Run(args, system); code != app.Failed || !strings.Contains(said.String(), "nobody is here") ||
				!strings.Contains(said.String(), "open a terminal yourself") {
				t.Errorf("exit %d: %s", code, said.String())
			}
		})
	}
	for name := range needsPerson {
		if !seen[name] {
			t.Errorf("there is no command %s", name)
		}
	}
}

// words() splits a command line at spaces outside of single quotes.
func words(text string) []string {
	var out []string
	for i, part := range strings.Split(text, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
