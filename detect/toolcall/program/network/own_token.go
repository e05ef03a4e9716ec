package network

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// OwnToken is for calls in which a command such as "gh auth token" has printed a token. If the command c sends the
// token only to the service that the token belongs to, the token does not count as a secret. If another command gets
// the token, or may read it from a variable, the token counts as shown.
func OwnToken(t *trace.Trace, c *trace.Command) {
	given, alone := c.In.Taint.Has(trace.FromSecret), true
	if given {
		alone = c.In.Text == trace.TextOfToken
	}
	for i := range c.Argv {
		if v := &c.Argv[i]; v.Taint.Has(trace.FromSecret) {
			given, alone = true, alone && !trace.HasOtherSecret(v.Text)
		}
	}
	switch {
	case !given && (!t.Token.Kept || words.OneOf(c.Name, hideVariables)):
	case c.Name == "[" && words.OneOf(trace.ArgAt(c.Argv, 1), "-n -z") && len(c.Argv) == 4:
	case !given || !alone || !goesHome(t, c):
		t.ShowToken()
	default:
		c.Argv = slices.Clone(c.Argv)
		for i := range c.Argv {
			c.Argv[i].Taint &^= trace.FromSecret
		}
		if c.In.Taint &^= trace.FromSecret; t.Token.Number == c.Run {
			t.Effects[c.Run-1].Drop(effect.SecretAccess)
		}
	}
}

// The constant hideVariables lists programs that do not show their environment.
const hideVariables = "curl gh git docker jq [ test echo printf cd true false sleep head tail wc grep tee cat mkdir sort read exit return"

// goesHome reports whether a command sends the token that it gets only to the service of the token, and shows it
// nowhere. The token must be a header of a request with curl, or a password for a login.
func goesHome(t *trace.Trace, c *trace.Command) bool {
	args := c.Args()
	switch c.Name {
	case "gh":
		return trace.JoinAll(args) == "auth login --with-token" && words.OneOf("github.com", t.Token.Domains)
	case "docker", "podman":
		n := len(args) - 1
		host := trace.ArgAt(args, 1)
		if n > 1 && args[n-1].Text == "--password-stdin" {
			host = args[n].Text
		}
		return trace.ArgAt(args, 0) == "login" && trace.DomainOf(trace.HostOf(host), t.Token.Domains) != ""
	case "curl":
		return !t.Detours(c) && requestsHome(t, args)
	}
	return false
}

// requestsHome reports whether the arguments of curl send a token only in a login header, and only to the service of the
// token. It accepts only usual arguments, because others may show the token or send it elsewhere.
func requestsHome(t *trace.Trace, args []trace.Value) bool {
	const plain, values = "-s -S -f -L -i -sS -sL -sf -sSL -sSf -fsS -fsSL --silent --fail --location --show-error", "-H -X -d -o -w -m --header --request --data --output --max-time"
	before, found := "", false
	for _, v := range args {
		text := v.Text
		switch isValue := words.OneOf(before, values); {
		case v.Taint.Has(trace.FromSecret):
			if !words.OneOf(before, "-H --header") || !strings.HasPrefix(strings.ToLower(text), "authorization:") {
				return false
			}
		case isValue:
			text = ""
		case strings.Contains(text, "://"):
			if trace.DomainOf(trace.HostOf(text), t.Token.Domains) == "" {
				return false
			}
			found = true
		case !words.OneOf(text, plain) && !words.OneOf(text, values):
			return false
		}
		before = text
	}
	return found
}
