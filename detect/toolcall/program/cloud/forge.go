package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// forgeAPI judges a request of "gh api" or "glab api" by its HTTP method and its fields.
func forgeAPI(a *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	method := strings.ToUpper(trace.FirstText(o.Values("X method")))
	switch {
	case method != "" && method != "GET" && hasText(o.Values("f F field raw-field"), "force=true"):
		a.Mark(c, "overwrites a branch on the forge", effect.ForcePush)
	case method != "" && method != "GET" && hasText(o.Values("f F field raw-field"), "visibility=public", "private=false"):
		a.Mark(c, "makes a repository public", effect.Publish)
	case hasText(o.Values("f F field raw-field"), "archived=true"):
		a.Mark(c, "archives a repository", effect.DestructiveOp)
	default:
		markForgeChange(a, c, o, method)
	}
	fields := o.Values("f F field raw-field")
	if method == "" && (len(fields) > 0 || o.Has("input")) {
		method = "POST"
	}
	r := network.Request{Method: method, Body: trace.JoinAll(fields)}
	path := strings.TrimPrefix(o.Word(1), "/")
	r.MarkChange(a, c, path, "the forge")
	if c.Name == "glab" && (method == "" || method == "GET") && strings.Contains(path+"/", "/variables/") {
		program.Judge(a, c, program.Reveals, "/"+trace.Shorten(path)+" on the forge")
	}
	t := network.TaintOf(o.Values("f field raw-field F H header"))
	for _, v := range o.Values("input") {
		t |= program.Attached(a, c, v.Text, v)
	}
	for _, v := range fields {
		if _, file, ok := strings.Cut(v.Text, "=@"); ok {
			t |= program.Attached(a, c, file, v)
		}
	}
	if t.IsPrivate() {
		program.Upload(a, c, words.OrElse(trace.FirstText(o.Values("hostname")), "api.github.com"), t)
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// forge() analyzes gh and glab. These programs send the texts in their options and in the files that their options
// name.
func forge(t *trace.Trace, c *trace.Command) trace.Flow {
	out := table.Handler(c.Name)(t, c)
	o := flags.Parse(c.Args(), forgeValues)
	if o.Word(0) == "api" {
		return out
	}
	taint := network.TaintOf(o.Values("b body t title n notes d desc description"))
	for _, v := range o.Values("F body-file notes-file") {
		if v.Text == "-" {
			taint |= c.In.Taint
		} else {
			taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		}
	}
	switch {
	case words.OneOf(o.Word(0), "secret variable"):
		taint &^= trace.FromToken
	case taint.Has(trace.FromToken):
		taint |= trace.FromSecret // everybody who can read the text can read the token
	}
	if taint.IsPrivate() {
		program.Upload(t, c, "github.com", taint)
	}
	return out
}

// forgeClone analyzes "gh repo clone", which creates a folder. Options for git may follow --.
func forgeClone(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	folder := words.AfterLast(strings.TrimSuffix(o.Word(2), ".git"), "/")
	if name := o.Word(3); name != "" && name[0] != '-' {
		folder = name
	}
	program.Download(t, c, "github.com")
	t.BringIn(c, trace.Value{Text: folder})
	return trace.Flow{Taint: trace.FromNetwork}
}

// forgeDownload analyzes "gh release download". The names of the files are known if no pattern has a wildcard.
func forgeDownload(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	o := flags.Parse(c.Args(), "p pattern D dir O output R repo A archive")
	dir := words.OrElse(trace.FirstText(o.Values("D dir")), ".")
	for _, v := range o.Values("p pattern O output") {
		if v.Text = dir + "/" + v.Text; !strings.ContainsAny(v.Text, "*?[") {
			program.Saved(t, c, v)
		}
	}
	program.Download(t, c, "github.com")
	t.BringIn(c, trace.Value{Text: dir})
	return trace.Flow{Taint: trace.FromNetwork}
}

// printToken analyzes a subcommand that prints a token, which usually goes to the service that the token belongs to.
func printToken(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	program.Judge(t, c, program.Reveals, "a token")
	t.Token.Number, t.Token.Service = c.Run+1, "google"
	if c.Name == "gh" {
		t.Token.Service = "github"
	}
	return trace.Flow{Text: trace.TextOfToken, Taint: trace.FromSecret}
}

// gist() analyzes "gh gist create", which publishes files as a snippet.
func gist(a *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.Has("public p") {
		a.Mark(c, "publishes a gist", effect.Publish)
	}
	t := c.In.Taint
	for _, v := range o.Operands[2:] {
		t |= program.Attached(a, c, v.Text, v)
	}
	program.Upload(a, c, "gist.github.com", t)
	return trace.Nothing()
}

// alias() analyzes "gh alias set". The value of an alias is a shell command if the value begins with an exclamation
// mark, or if the call has the flag --shell.
func alias(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if text, ok := strings.CutPrefix(o.Word(3), "!"); ok || o.Has("s shell") {
		t.RunText(c, trace.Value{Text: text})
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}

// forgeSetting analyzes settings of gh that are commands, such as "gh config set editor x".
func forgeSetting(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if words.OneOf(o.Word(2), "editor pager browser") && o.Word(3) != "" {
		t.RunText(c, o.Operands[3])
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func codespaceSSH(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if inner, ok := flags.AfterDashes(c.Args()); ok && len(inner) > 0 {
		t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
		network.RunRemote(t, c, "", trace.Joined(inner))
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

func hasText(vs []trace.Value, texts ...string) bool {
	for _, v := range vs {
		for _, t := range texts {
			if v.Text == t {
				return true
			}
		}
	}
	return false
}
