package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Upload adds the effect of sending data to a host. If the data is secret and the host is not this machine, it also
// adds an event. It adds no event for a token that goes to its own service, such as $GITHUB_TOKEN to GitHub. The event
// is usually SecretSend. If the secret comes from a variable of a secret file, or from a whole folder, the event is the
// weaker SecretAccess.
func Upload(a *trace.Trace, c *trace.Command, host string, t trace.Taint) {
	e := a.Emit(effect.Effect{Kind: effect.Send, Host: host, Span: c.Span})
	if !t.IsPrivate() || trace.IsLoopback(host) {
		return
	}
	if t.Has(trace.FromToken) && !a.TokensLeave(c, host) {
		t &^= trace.FromToken
	}
	if t.Has(trace.FromSecret) && a.OwnToken(c, host) {
		t &^= trace.FromSecret
	}
	what, event := "the content of a secret file", effect.SecretSend
	switch {
	case t.Has(trace.FromSecret):
	case t.Has(trace.FromEnviron):
		what = "the environment"
	case t.Has(trace.FromSetting):
		what, event = "a variable from a secret file", effect.SecretAccess
	case t.Has(trace.FromToken):
		what = "a token from a variable"
	case !t.Has(trace.FromFolder):
		return
	default:
		what, event = "a folder with a secret file, which the command can exclude,", effect.SecretAccess
	}
	e.Note("sends "+what+" to "+words.OrElse(host, "another machine"), event)
}

// Download adds the effect of receiving data from a host.
func Download(t *trace.Trace, c *trace.Command, host string) {
	NoteMetadata(t.Emit(effect.Effect{Kind: effect.Fetch, Host: host, Span: c.Span}))
}

// NoteMetadata adds an event to a download from a host that gives out credentials, such as the metadata server of a
// cloud.
func NoteMetadata(e *effect.Effect) {
	if isMetadata(e.Host) {
		e.Note("asks the cloud for this machine's credentials", effect.SecretAccess)
	}
}

// Saved is a function that adds the effect of writing a download to a file. It records that the content is from the
// network, because the same call may run the file later.
func Saved(t *trace.Trace, c *trace.Command, v trace.Value) {
	if name := t.Write(v, c.Scope, c.Span); name != "" {
		t.Remember(name, trace.Flow{Taint: trace.FromNetwork})
	}
}

// Attached is a function that adds the effect of reading a local file that a command sends. It returns the taint of the
// file's content, which says where the content comes from.
func Attached(t *trace.Trace, c *trace.Command, name string, at trace.Value) trace.Taint {
	if name == "-" || name == "/dev/stdin" || name == "." && at.Pipe == nil && c.Name == "curl" {
		return c.In.Taint
	}
	if at.Pipe != nil {
		return at.Pipe.Taint
	}
	v := at
	v.Text = name
	NoteForeign(t, c, v)
	taint := at.Taint | t.ReadFlow(v, c.Scope, c.Span).Taint
	if folder, ok := strings.CutSuffix(name, "/$found"); ok { // all files that a search finds in a folder
		p := t.Place(trace.Value{Text: folder}, c.Scope)
		taint |= t.SendsSecret(c, &p)
	}
	return taint
}

// NoteForeign adds an event if a call sends a file that is neither in the project nor in a temporary folder.
func NoteForeign(t *trace.Trace, c *trace.Command, v trace.Value) {
	if p := t.Place(v, c.Scope); p.Zone == trace.Outside || p.Zone == trace.System || p.Zone == trace.Device {
		t.Mark(c, "sends "+p.Name+", from outside the project", effect.SecretAccess)
	}
}

// isMetadata reports whether a host gives credentials to the cloud machine that sends it a request.
func isMetadata(host string) bool {
	return host == words.Among(host,
		"169.254.169.254 metadata.google.internal metadata 100.100.100.200 169.254.170.2 fd00:ec2::254 "+
			"[fd00:ec2::254]")
}
