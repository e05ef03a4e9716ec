package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// MarkGuardArguments marks a call of an unknown program if an argument refers to one of the guard's files, because the
// program may change that file.
func MarkGuardArguments(t *trace.Trace, c *trace.Command) {
	if onlyReads(c.Name) {
		return
	}
	inGuardFolder := c.Scope.Cwd != t.Env.Cwd && mayBeGuarded(t, c.Scope.Cwd)
	for _, v := range c.Args() {
		v.Text = argumentPath(v.Text)
		if v.Text == "" || !inGuardFolder && !mayBeGuarded(t, v.Text) {
			continue
		}
		v.Glob = v.Glob || strings.ContainsAny(v.Text, "*?[")
		p := t.Place(v, c.Scope)
		if p.Guard || trace.IsGuardFolder(p.Name) || mayBeGuardFile(t, &p) {
			t.Mark(c, "gives "+p.Name+", which belongs to the guard, to an unknown program", effect.GuardTamper)
			return
		}
	}
}

// mayBeGuardFile reports whether a pattern may match the guard's folder, or a file of the guard in that folder. A
// pattern in quotes counts too, because some programs, such as programs from npm, expand the pattern themselves.
func mayBeGuardFile(t *trace.Trace, p *trace.Place) bool {
	return p.Glob && (t.MayBe(p.Name, product.ClientFolder) ||
		strings.HasPrefix(p.Name, product.ClientFolder+"/") && t.MayBe(p.Name, product.Settings))
}

// MarkKey marks a program that gets the path of the guard's key as an argument. It does not mark a program such as ls,
// which does not read the content of a file. A program with a handler is marked too, because the handler possibly does
// not know that a subcommand reads the file.
func MarkKey(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		if !strings.HasSuffix(v.Text, product.KeyFile) || v.Text == product.KeyFile && c.Scope.Cwd == t.Env.Cwd {
			continue
		}
		v.Text = argumentPath(v.Text)
		describes := words.OneOf(c.Name, "ls stat test [ du echo printf realpath dirname basename")
		if p := t.Place(v, c.Scope); p.Key && !describes {
			t.Mark(c, "reads "+p.Name+", which is the guard's key", effect.GuardTamper)
			return
		}
	}
}

// argumentPath returns the path in an argument, without a prefix such as --out=, -o or @. It returns "" if there is no
// path.
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

// mayBeGuarded reports whether a path may belong to the guard. It is a fast check before the path is resolved.
func mayBeGuarded(t *trace.Trace, text string) bool {
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

// onlyReads reports whether a program without a handler changes nothing, because it only shows or checks the files in
// its arguments.
func onlyReads(name string) bool {
	return name == words.Among(name, "readelf objdump nm ldd size otool go namei getfacl lsattr getcap whereis fuser "+
		"xdg-mime test nvim-diff yamllint jsonlint check-jsonschema ajv shellcheck codespell cspell typos vale markdownlint "+
		"gron delta difft colordiff icdiff meld diffstat ncdu dust broot tig gitui lazygit zed idea webstorm "+
		"pycharm explorer start dirname basename realpath readlink sum sha512sum sha224sum sha384sum b2sum "+
		"crc32 inotifywait fswatch gitleaks trufflehog detect-secrets semgrep cloc scc tokei prettier eslint "+
		"biome pylint flake8 pyright identify ffprobe newman swagger-cli redocly graphql-inspector json-server prism ajv-cli "+
		"bandit vulture actionlint taplo spectral hexyl bsdcat json_pp jsonschema kubeval")
}
