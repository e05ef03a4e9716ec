package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// Token is about a token that a command of the call has printed, such as "gh auth token".
type Token struct {
	_ [0]func() // forbids comparisons with ==; see Place
	// Number is the number of the command's effect. The first effect has the number 1. Number is 0 if the call has
	// printed no token.
	Number  int
	Service string // the service to which the token belongs, as in tokenDomains
}

// TextOfToken stands for a token that a command has printed.
const TextOfToken = "$(a token)"

// OwnToken is for a command that sends a secret to a host. It reports whether the secret is only the printed token of
// the service to which the host belongs, in a header of curl. If the token is a substitution in the command itself,
// nobody else gets the token, so OwnToken removes the event for printing it. The option -v of curl shows the token.
func (t *Trace) OwnToken(c *Command, host string) bool {
	if t.Token.Number == 0 || c.Name != "curl" || !belongsTo(host, t.Token.Service) || c.In.Taint.Has(FromSecret) || t.Detours(c) {
		return false
	}
	hidden := t.Token.Number == c.Run && t.Within == nil && !c.Scope.Traces && printsOnly(c.Span.Text)
	for i := 1; i < len(c.Argv); i++ {
		text := c.Argv[i].Text
		if c.Argv[i].Taint.Has(FromSecret) && (!strings.Contains(text, TextOfToken) || strings.Count(text, "$") > 1 ||
			!words.OneOf(c.Argv[i-1].Text, "-H --header")) {
			return false
		}
		hidden = hidden && (!strings.HasPrefix(text, "-") || !words.HasPart(text, "v|trac|--li"))
	}
	for i := c.Run; i < len(t.Effects); i++ {
		if t.Effects[i].Kind == effect.Read {
			return false // the command also sends a file
		}
	}
	if hidden {
		t.Effects[c.Run-1].Drop(effect.SecretAccess)
	}
	return true
}

// printsOnly reports whether a command uses a printed token only as a whole substitution, such as $(gh auth token). In
// any other form, the shell can also keep the token in a variable, or show it.
func printsOnly(command string) bool {
	return (strings.Contains(command, "$(gh auth token)") || strings.Contains(command, "$(gcloud auth print-access-token)")) &&
		!strings.Contains(command, "${")
}
