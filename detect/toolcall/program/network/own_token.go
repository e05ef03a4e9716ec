package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// OwnToken is for calls in which a command such as "gh auth token" has printed a token. If the command c sends the
// token only to the service that the token belongs to, the token does not count as a secret. If another command gets
// the token, or may read it from a variable, the token counts as shown.
func OwnToken(t *trace.Trace, c *trace.Command) {
	given := c.In.Taint.Has(trace.FromSecret)
	alone := !given || c.In.Text == trace.TextOfToken
	for i := range c.Argv {
		if v := &c.Argv[i]; v.Taint.Has(trace.FromSecret) {
			given = true
			alone = alone && strings.Contains(v.Text, trace.TextOfToken) && strings.Count(v.Text, "$") == 1
		}
	}
	switch {
	case !given && (!t.Token.Kept || words.OneOf(c.Name, hideVariables)):
	case c.Name == "[" && words.OneOf(trace.ArgAt(c.Argv, 1), "-n -z") && len(c.Argv) == 4:
	case !given || !alone || !goesHome(t, c):
		t.ShowToken()
	default:
		for i := range c.Argv {
			c.Argv[i].Taint &^= trace.FromSecret
		}
		if c.In.Taint &^= trace.FromSecret; t.Token.Number == c.Run {
			t.Effects[c.Run-1].Drop(effect.SecretAccess)
		}
	}
}

const (
	// The constant hideVariables lists programs that do not show their environment.
	hideVariables = "curl gh git docker jq [ test echo printf cd true false sleep head tail wc grep tee cat mkdir sort read exit return"
	// tokenFlags and tokenValues list arguments with which the programs in goesHome neither show a token nor send it
	// elsewhere. The flags in tokenValues take a value.
	tokenFlags = "-s -S -f -L -i -sS -sL -sf -sSL -sSf -fsS -fsSL --silent --fail --location --show-error " +
		"auth login --with-token --password-stdin"
	tokenValues = "-H -X -d -o -w -m -u --header --request --data --output --max-time --username"
)

// goesHome reports whether a command sends the token that it gets only to the service of the token, and shows it
// nowhere. The token must be in the login header of a request with curl, or be the input of a login.
func goesHome(t *trace.Trace, c *trace.Command) bool {
	first, before := trace.ArgAt(c.Argv, 1), ""
	isCurl, home := c.Name == "curl" && !t.Detours(c), c.Name == "gh" && words.OneOf("github.com", t.Token.Domains)
	if !isCurl && (first != "auth" || !home) && (first != "login" || !words.OneOf(c.Name, "docker podman")) {
		return false
	}
	for i := 1; i < len(c.Argv); i++ {
		text := c.Argv[i].Text
		switch {
		case c.Argv[i].Taint.Has(trace.FromSecret):
			if !words.OneOf(before, "-H --header") || !strings.HasPrefix(strings.ToLower(text), "authorization:") {
				return false
			}
		case words.OneOf(before, tokenValues):
			text = ""
		case words.OneOf(text, tokenValues) || words.OneOf(text, tokenFlags) && (!isCurl || text[0] == '-'):
		case c.Name == "gh" || trace.DomainOf(trace.HostOf(text), t.Token.Domains) == "":
			return false
		default:
			home = true
		}
		before = text
	}
	return home
}
