package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// GuardArguments notes that a program of which nothing is known is given one of the guard's files: it may change it.
func GuardArguments(t *trace.Trace, c *trace.Command) {
	if onlyLooks(c.Name) {
		return
	}
	near := c.Scope.Cwd != t.Env.Cwd && soundsGuarded(t, c.Scope.Cwd)
	for _, v := range c.Args() {
		v.Text = argumentPath(v.Text)
		if v.Text == "" || !near && !soundsGuarded(t, v.Text) {
			continue
		}
		v.Glob = v.Glob || strings.ContainsAny(v.Text, "*?[")
		if p := t.Place(v, c.Scope); p.Guard || trace.IsGuardFolder(p.Name) || p.Glob && trace.MayBe(p.Name, product.ClientFolder) {
			t.Mark(c, "gives "+p.Name+", which belongs to the guard, to a program of which it is not known what it does", effect.GuardTamper)
			return
		}
	}
}

// argumentPath is the path in an argument: behind --out=, -o or @. Empty is a flag without one.
func argumentPath(text string) string {
	if strings.ContainsAny(text, " \n") {
		return ""
	}
	if strings.HasPrefix(text, "-") {
		if _, rest, ok := strings.Cut(text, "="); ok {
			return rest
		}
		if strings.HasPrefix(text, "--") || len(text) < 3 {
			return ""
		}
		return text[2:]
	}
	return strings.TrimPrefix(strings.TrimPrefix(text, "@"), "unix:")
}

// soundsGuarded is the cheap question before the path is looked up.
func soundsGuarded(t *trace.Trace, text string) bool {
	for _, guarded := range t.Env.Guarded {
		if strings.HasPrefix(text, guarded) || strings.HasSuffix(text, guarded[strings.LastIndexByte(guarded, '/')+1:]) {
			return true
		}
	}
	return hasGuardWord(text)
}

func hasGuardWord(text string) bool {
	for i := range len(text) {
		switch text[i] | 0x20 {
		case 'c':
			if hasFold(text[i:], "claude") {
				return true
			}
		case 'm':
			if hasFold(text[i:], "mcp.json") || hasFold(text[i:], "managed-settings") {
				return true
			}
		case 'g':
			if hasFold(text[i:], "guardrails") {
				return true
			}
		}
	}
	return false
}

func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// onlyLooks reports whether a program without a handler shows what it is given, or checks it, and changes nothing.
func onlyLooks(name string) bool {
	return name == words.Among(name, "readelf objdump nm ldd size otool go namei getfacl lsattr getcap whereis fuser xdg-mime test "+
		"nvim-diff yamllint jsonlint check-jsonschema ajv shellcheck codespell cspell typos vale markdownlint "+
		"gron delta difft colordiff icdiff meld diffstat ncdu dust broot tig gitui lazygit zed idea webstorm "+
		"pycharm explorer start dirname basename realpath readlink sum sha512sum sha224sum sha384sum b2sum "+
		"crc32 inotifywait fswatch gitleaks trufflehog detect-secrets semgrep cloc scc tokei prettier eslint "+
		"biome actionlint taplo spectral hexyl bsdcat json_pp jsonschema kubeval")
}
