package trace

import (
	"iter"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
	"guardrails/guideline/pattern"
)

// MoveSecrets is for a command that moves files. It records the new places of project files that no tool can create
// again. If a moved file holds secrets, later actions on the new path count as actions on a file with secrets. If the
// new name does not show that the file holds secrets, MoveSecrets adds an event, because later calls know only that
// name.
func (t *Trace) MoveSecrets(c *Command, sources []Value, to Value) {
	for _, v := range sources {
		from := t.LinkPlace(v, c.Scope)
		if from.Zone == Project && !IsRegenerable(from.Name) {
			t.Moved = append(t.Moved, t.LinkPlace(to, c.Scope).Name)
		}
		base, name := BaseName(from.Abs), BaseName(to.Text)
		if !from.Secret || base == "secrets" || to.Text == "" {
			continue
		}
		p := t.LinkPlace(to, c.Scope)
		t.Linked(p.Abs, from.Abs)
		if !p.Secret && !p.Partial && (!strings.Contains(name, base) || isSample(name)) && !t.isFolder(&p, to.Text) {
			t.Mark(c, "gives "+from.Name+", which holds secrets, the name "+p.Name, effect.SecretAccess)
		}
	}
}

// isFolder reports whether a path is probably a folder that exists or that the call has made.
func (t *Trace) isFolder(p *Place, written string) bool {
	switch {
	case strings.HasSuffix(written, "/"):
		return true
	case !mayBeFolder(written) || isSample(BaseName(written)):
		return false
	case !t.Spend(stepsOfFile) || t.Env.Missing == nil || !t.Env.Missing(p.Abs):
		return true
	}
	writes := 0
	for i := range t.Effects {
		if e := &t.Effects[i]; e.Kind == effect.Write && e.Path == p.Name {
			writes++
		}
	}
	return writes > 1 // one of the writes is the move itself
}

// SendsSecret is for a command that sends a whole folder. It returns FromFolder if a file with secrets is directly in
// the folder and no argument of the command seems to exclude the file. Otherwise, it returns 0. A home folder always
// has such files.
func (t *Trace) SendsSecret(c *Command, p *Place) Taint {
	if t.Env.List == nil || p.Partial || p.Glob || p.Abs == "" || c.Scope.Container != nil {
		return 0
	}
	if p.Abs == t.Env.Home {
		return FromFolder
	}
	files, folders := t.list(p.Abs)
	for _, name := range append(files, folders...) {
		if name != "secrets" && IsSecret(name) && !excludes(c, name) {
			return FromFolder
		}
	}
	return 0
}

// excludes() reports whether an argument of a command may exclude a file. Such an argument either matches the file's
// name, or names a file that contains patterns.
func excludes(c *Command, name string) bool {
	for _, v := range c.Args() {
		text := v.Text[strings.LastIndexAny(v.Text, "=/ ")+1:]
		g, err := pattern.CompileGlob(text)
		if err == nil && strings.Trim(text, "*") != "" && g.Match(name) || strings.HasPrefix(v.Text, "--") &&
			words.HasPart(v.Text, "-from|filter|-ignore") {
			return true
		}
	}
	return false
}

// IsSecretVariable reports whether the name of a variable shows that it contains a secret.
func IsSecretVariable(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range [...]string{
		"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL",
	} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}

// TaintOfVariable returns the taint of a variable whose value is not known. It judges by the variable's name.
func TaintOfVariable(name string) Taint {
	if serviceOf(name) != "" {
		return FromToken
	}
	return 0
}

// serviceOf returns the service to which the secret in a variable belongs, judged by the variable's name. It returns ""
// if the name does not show a service.
func serviceOf(name string) string {
	upper := strings.ToUpper(name)
	if !IsSecretVariable(upper) && !endsLikeSecret(upper) {
		return ""
	}
	service, _, _ := strings.Cut(strings.ToLower(name), "_")
	switch service {
	case "aws":
		return "amazonaws"
	case "gh", "github":
		return "github"
	case words.Among(service, "npm gitlab openai anthropic slack stripe digitalocean heroku cloudflare azure pypi docker "+
		"google gcp vault sentry datadog twilio sendgrid"):
		return service
	}
	if strings.HasSuffix(upper, "DATABASE_URL") {
		return "a database"
	}
	return ""
}

// TokensLeave is for data that goes to a host and contains tokens from variables. It reports whether one of these
// tokens may belong to a different host. An example is $GITHUB_TOKEN in a request to a host that does not belong to
// GitHub. If the request may go to a different host than its address says, for example through a proxy, each token
// counts as the token of another service. TokensLeave looks at the variables in the command. If none of these variables
// holds a token, the data comes from other commands, so TokensLeave looks at the variables in the whole call.
func (t *Trace) TokensLeave(c *Command, host string) bool {
	if t.Detours(c) {
		host = ""
	}
	found, foreign := tokensIn(JoinAll(c.Argv)+c.In.Text, strings.ToLower(host))
	if !found {
		_, foreign = tokensIn(t.Source, strings.ToLower(host))
	}
	return foreign
}

// Detours is a method that reports whether a request may go to a different host than its address says. The cause can be
// an argument of curl or a similar program, or a variable that the call has set. A proxy on this machine does not count
// as another host.
func (t *Trace) Detours(c *Command) bool {
	t.Spend(stepsOfEffect / 4 * len(c.Argv))
	for i := range c.Argv {
		if isDetour(c.Argv[i].Text, ArgAt(c.Argv, i+1)) {
			return true
		}
	}
	for _, name := range [...]string{"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"} {
		if v := c.Scope.Exported(name); v.Text != "" && !IsLoopback(HostOf(v.Text)) {
			return true
		}
	}
	return false
}

// isDetour reports whether an argument ("arg") of curl or a similar program names a proxy, or another host for an
// address. The argument "next" comes after arg and may be its value.
func isDetour(arg, next string) bool {
	name, value, attached := strings.Cut(arg, "=")
	switch i := strings.IndexByte(arg, 'x'); {
	case strings.HasPrefix(arg, "--"):
		if strings.HasPrefix(arg, "--no") || !strings.Contains(name, "proxy") &&
			!words.OneOf(name, "--resolve --connect-to --socks4 --socks4a --socks5 --socks5-hostname") {
			return false
		}
	case i > 0 && arg[0] == '-' && strings.Trim(arg[1:i], "sSfLkgGIiNnqjlvaBO#012346pR") == "":
		value, attached = arg[i+1:], i+1 < len(arg)
	case !attached || !strings.Contains(name, "proxy"): // as in wget -e https_proxy=host
		return false
	}
	if !attached {
		value = next
	}
	return value != "" && value[0] != '-' && !IsLoopback(HostOf(value))
}

// tokenDomains lists the domains of services. A service's own tokens may go to these domains. A domain begins with the
// name of its service.
const tokenDomains = "amazonaws.com github.com npmjs.org npmjs.com gitlab.com openai.com anthropic.com slack.com stripe.com " +
	"digitalocean.com heroku.com cloudflare.com azure.com pypi.org docker.com docker.io google.com googleapis.com " +
	"sentry.io datadoghq.com datadoghq.eu twilio.com sendgrid.com"

// belongsTo reports whether a host is one of the domains of a service, or is a subdomain of one of them.
func belongsTo(host, service string) bool {
	for host != "" && (!strings.HasPrefix(host, service) || !words.OneOf(host, tokenDomains)) {
		_, host, _ = strings.Cut(host, ".")
	}
	return host != ""
}

// tokensIn reports whether a text has variables with tokens ("found"), and whether one of these tokens belongs to a
// service that does not own the host ("foreign").
func tokensIn(text, host string) (found, foreign bool) {
	for name := range VariablesIn(text) {
		if service := serviceOf(name); service != "" {
			found, foreign = true, foreign || !belongsTo(host, service)
		}
	}
	return found, foreign
}

// VariablesIn yields the names of the variables in a text, such as "$NAME" and "${NAME}". The name is empty if no name
// follows the dollar sign.
func VariablesIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, rest, ok := strings.Cut(text, "$"); ok; _, rest, ok = strings.Cut(rest, "$") {
			rest = strings.TrimPrefix(rest, "{")
			end := 0
			for end < len(rest) && isNameByte(rest[end]) {
				end++
			}
			if !yield(rest[:end]) {
				return
			}
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// Sourced is a method that returns the value of a variable that a file with secrets has probably set. It returns false
// if no such file was read, or if the name does not show a secret. It also returns false if the shell itself has set
// the variable since then.
func (s *Scope) Sourced(name string) ([]Value, bool) {
	if !s.Secrets || !IsSecretVariable(name) && !endsLikeSecret(strings.ToUpper(name)) {
		return nil, false
	}
	if v := s.Vars.Get(name); len(v.Values) > 0 && v.Values[0].Text != "$"+name {
		return nil, false
	}
	return []Value{{Text: "$" + name, Quality: Quality{Partial: true, Taint: FromSetting}}}, true
}

// endsLikeSecret reports whether the name of a variable ends like the name of a secret. It is for the variables in a
// file with secrets.
func endsLikeSecret(upper string) bool {
	for _, end := range [...]string{"KEY", "PASS", "_PWD", "_DSN", "_PAT", "DATABASE_URL"} {
		if strings.HasSuffix(upper, end) {
			return true
		}
	}
	return false
}

// holdsSecrets reports whether files of the project that the call removes or replaces hold secrets. Usually, git does not
// track such files, so nobody can restore them. It returns false if no such file exists.
func (t *Trace) holdsSecrets(p *Place) bool {
	if p.Zone != Project {
		return false
	}
	if p.Glob {
		for _, path := range t.Matches(p) {
			if q := t.placeOf(path); !q.Glob && t.holdsSecrets(&q) {
				return true
			}
		}
		return false
	}
	return p.Secret && !NamesTest(p.Name) && !IsRegenerable(p.Name) &&
		(t.Env.Missing == nil || t.Spend(stepsOfFile) && !t.Env.Missing(p.Abs))
}

// NoteReplaced adds an event if a call replaces the whole content of a file with secrets. It adds no event if the file
// may not exist, or if the new content comes from a secret or from another program, such as a password manager.
func (t *Trace) NoteReplaced(path string, content Flow) {
	given := content.Known || content.IsTemplate() || content.Taint == FromFile || content.Taint.Has(FromNetwork)
	if t.Env.Missing == nil || !IsSecret(path) || !given || content.Taint.Has(FromSecret) || t.testsFor(path) {
		return
	}
	p := t.placeOf(path)
	if !t.holdsSecrets(&p) {
		return
	}
	for i := len(t.Effects) - 1; i >= 0; i-- {
		if e := &t.Effects[i]; e.Kind == effect.Write && e.Path == path {
			e.Note("replaces "+path+", which holds secrets", effect.DestructiveOp)
			return
		}
	}
}

// testsFor reports whether the call consists of one command that runs only if a file does not exist, as in
// [ -f .env ] || cp .env.example .env.
func (t *Trace) testsFor(path string) bool {
	for _, form := range [...][2]string{
		{"[ -f " + path + " ] || ", ""},
		{"[ -e " + path + " ] || ", ""},
		{"test -f " + path + " || ", ""},
		{"test -e " + path + " || ", ""},
		{"[ ! -f " + path + " ] && ", ""},
		{"[ ! -e " + path + " ] && ", ""},
		{"test ! -f " + path + " && ", ""},
		{"if [ ! -f " + path + " ]; then ", "; fi"},
		{"if [ ! -e " + path + " ]; then ", "; fi"},
	} {
		command, begins := strings.CutPrefix(t.Source, form[0])
		command, ends := strings.CutSuffix(command, form[1])
		if begins && ends && !strings.ContainsAny(command, ";&|\n#`$(") {
			return true
		}
	}
	return false
}
