package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/program/wrapper"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const sshValues = "b c D E e F I i J L l m O o p Q R S W w B M"

// The function ssh analyzes the program ssh, which runs a command on another machine. A command counts as destructive
// there if it would be destructive on this machine.
func ssh(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name == "sshpass" {
		return wrapper.Transparent("p f d P", 0)(t, c)
	}
	o, rest := flags.ParseLeading(c.Args(), sshValues+" ssh port family predict server client")
	sshOptions(t, c, &o)
	if len(rest) == 0 {
		return trace.Nothing()
	}
	host := trace.HostOf(rest[0].Text)
	after, list := flags.ParseLeading(rest[1:], sshValues)
	sshOptions(t, c, &after)
	if taint := c.In.Taint&^trace.FromToken | TaintOf(list)&^trace.FromVariables; taint.IsPrivate() {
		program.Upload(t, c, host, taint)
	}
	carriesToken(t, c, host, TaintOf(list)|TaintOf(o.Values("o"))|c.In.Taint)
	if len(list) == 0 {
		return RemoteInput(t, c, host)
	}
	t.Mark(c, "runs a command on "+words.OrElse(host, "another machine"), effect.RemoteExecution)
	command := trace.Joined(list)
	if strings.HasPrefix(rest[0].Text, "dokku@") { // the login shell of the user named dokku is the program dokku
		command.Text = "dokku " + command.Text
	}
	out := RunRemote(t, c, host, command)
	return trace.Flow{Taint: out.Taint | trace.FromNetwork}
}

// carriesToken marks a command on another machine if its text contains a token, or a variable from a secret file. It
// does not mark a login that runs on that machine, as in "docker login", because a login needs the token.
func carriesToken(t *trace.Trace, c *trace.Command, host string, taint trace.Taint) {
	if taint.Has(trace.FromVariables) && !trace.IsLoopback(host) && !trace.NamesTest(host) &&
		!strings.Contains(trace.JoinAll(c.Args()), " login") {
		t.Mark(c, "sends a token from a variable to "+host, effect.SecretAccess)
	}
}

// RemoteInput analyzes ssh without a command. In this case, the shell on the other machine runs the input of ssh.
func RemoteInput(t *trace.Trace, c *trace.Command, host string) trace.Flow {
	if c.In.Known && strings.TrimSpace(c.In.Text) == "" {
		return trace.Flow{Taint: trace.FromNetwork}
	}
	t.Mark(c, "runs commands on "+words.OrElse(host, "another machine"), effect.RemoteExecution)
	if c.In.Known {
		RunRemote(t, c, host, trace.Value{Text: c.In.Text})
	} else {
		shell.RunStream(t, c, c.In)
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// sshOptions analyzes options that run a command on this machine, reach a local socket, or let another machine log in
// here.
func sshOptions(t *trace.Trace, c *trace.Command, o *flags.Options) {
	for _, v := range o.Values("R") {
		if strings.HasSuffix(v.Text, ":22") {
			t.Mark(c, "lets another machine log in here ("+v.Text+")", effect.ReverseShell)
		}
	}
	for _, v := range o.Values("L") {
		t.Tunnel(v.Text)
		if v.Text, _, _ = strings.Cut(v.Text, ":"); strings.Contains(v.Text, "/") {
			self.MarkLocalSocket(t, c, v)
		}
	}
	for _, v := range o.Values("o") {
		sshSetting(t, c, v)
	}
	for _, v := range o.Values("F") {
		t.CommandsIn(c, v, func(inner *trace.Command, text string) {
			for text != "" {
				v.Text, text, _ = strings.Cut(text, "\n")
				sshSetting(t, inner, v)
			}
		})
	}
}

// sshSetting analyzes a setting of ssh, such as ProxyCommand=x. Some settings are commands that run on this machine.
func sshSetting(t *trace.Trace, c *trace.Command, v trace.Value) {
	name, text := strings.TrimSpace(v.Text), ""
	if i := strings.IndexAny(name, "= \t"); i > 0 {
		name, text = name[:i], strings.TrimLeft(name[i:], "= \t")
	}
	switch strings.ToLower(name) {
	case "localforward":
		local, _, _ := strings.Cut(text, " ")
		t.Tunnel(words.AfterLast(local, "localhost:"))
		return
	case "sendenv":
		for _, variable := range strings.Fields(text) {
			if variable == "*" || trace.IsSecretVariable(variable) {
				t.Mark(c, "sends variables to another machine ("+variable+")", effect.SecretAccess)
			}
		}
		return
	case "match":
		_, text, _ = strings.Cut(text, "exec ")
		text = strings.Trim(text, `"`)
	case "proxycommand", "localcommand", "knownhostscommand":
	default:
		return
	}
	if v.Text = text; text != "" && text != "none" {
		t.RunText(c, v)
	}
}

// RunRemote analyzes a text that is run by a shell on another machine. The variables and the folder of this machine do
// not apply on that machine. RunRemote adds the name of the host to the reasons.
func RunRemote(t *trace.Trace, c *trace.Command, host string, v trace.Value) trace.Flow {
	outer, first := c.Scope, len(t.Effects)
	defer func() { c.Scope = outer }()
	c.Scope = &trace.Scope{Cwd: outer.Cwd, CwdUnknown: true, Production: program.IsProduction(host)}
	out := t.RunText(c, v)
	pulls := false
	for i := first; i < len(t.Effects); i++ {
		e := &t.Effects[i]
		if e.Path != "" && e.Reason != "" {
			e.Reason += ", on " + words.OrElse(host, "another machine")
		} else if e.Kind == effect.Run && deploys(e.Command) && !trace.IsLoopback(host) && !trace.NamesTest(host) {
			e.NoteAll("deploys on "+words.OrElse(host, "another machine")+", judging by the command's name",
				effect.Deploy, effect.DevopsInvoked)
		}
		if e.Kind == effect.Run && host != "" && !trace.IsLoopback(host) && !trace.NamesTest(host) {
			command := e.Command
			markRemote(t, c, command, pulls)
			pulls = pulls || (trace.IsForeign(host) || words.InName(host, "prod production live servers")) &&
				(strings.HasPrefix(command, "git pull") || strings.HasPrefix(command, "git fetch"))
		}
	}
	return out
}

// markRemote marks a command that is harmless on this machine but not on another machine. Such a command stops other
// people's programs, changes a database that is in use, or runs a script whose name suggests a deployment. The
// parameter "pulls" is set if an earlier command has fetched new code on a server. In this case, a command that
// starts a program deploys the new code.
func markRemote(t *trace.Trace, c *trace.Command, command string, pulls bool) {
	list := strings.Fields(command)
	for len(list) > 1 && words.OneOf(list[0], "php python python3 bash sh bundle exec") {
		list = list[1:]
	}
	if len(list) == 0 {
		return
	}
	name, target := trace.ProgramName(list[0]), ""
	for _, target = range list[1:] {
		if !words.OneOf(target, "compose container service stack") {
			break
		}
	}
	switch verb := words.AfterLast(target, ":"); {
	case words.OneOf(name, "killall pkill"),
		words.OneOf(name, "docker docker-compose podman pm2") && words.OneOf(verb, "stop kill down rm delete"):
		t.Mark(c, "stops programs on another machine", effect.SystemControl)
	case deploys(strings.Join(list, " ")),
		verb == "migrate" && len(list) < 4 || verb == "ecto.migrate",
		pulls && words.OneOf(verb, "restart reload start up"):
		program.MarkMeaning(t, c, words.Deploys, name+" "+target)
	case strings.HasPrefix(list[0], "./") || strings.HasSuffix(name, ".sh"):
		program.MarkMeaning(t, c, words.MeaningOf(name), name)
	}
}

// deploys() reports whether a command on another machine deploys something. It judges by the name of the script or the
// task, because the scripts of that machine cannot be read.
func deploys(command string) bool {
	name, rest, _ := strings.Cut(command, " ")
	if words.OneOf(name, "make npm yarn pnpm just task rake cap composer") {
		task, _, _ := strings.Cut(strings.TrimPrefix(rest, "run "), " ")
		return words.MeaningOf(task) == words.Deploys
	}
	base := trace.BaseName(name)
	stem, ending, _ := strings.Cut(base, ".")
	return (base != name || ending == "sh") && words.MeaningOf(stem) == words.Deploys
}

// RemotePart splits a text of the form host:path. A text with a slash before the colon is a local path.
func RemotePart(text string) (host, path string, remote bool) {
	if rest, ok := cutScheme(text); ok {
		return trace.HostOf(text), rest[max(strings.IndexByte(rest, '/'), 0):], true
	}
	i := strings.IndexByte(text, ':')
	if i <= 0 || strings.Contains(text[:i], "/") || i == 1 && len(text) > 2 && (text[2] == '\\' || text[2] == '/') {
		return "", "", false
	}
	return trace.HostOf(text[:i]), strings.TrimPrefix(text[i+1:], ":"), true
}

func cutScheme(text string) (string, bool) {
	for _, scheme := range [...]string{"rsync://", "scp://", "sftp://", "ftp://"} {
		if rest, ok := strings.CutPrefix(text, scheme); ok {
			return rest, true
		}
	}
	return "", false
}

func scp(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "c D F i J l o P S X")
	sshOptions(t, c, &o)
	t.RunTexts(c, o.Values("S"))
	copyBetween(t, c, o.Operands)
	return trace.Nothing()
}

// copyBetween adds the reads, writes and transfers of a copy command. The last operand is the target. The other
// operands are the sources.
func copyBetween(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if len(operands) < 2 {
		return
	}
	sources, dest := operands[:len(operands)-1], operands[len(operands)-1]
	host, site, upload := RemotePart(dest.Text)
	var taint trace.Taint
	for _, v := range sources {
		if from, path, remote := RemotePart(v.Text); remote {
			program.Download(t, c, from)
			if !upload {
				content := trace.Flow{Taint: trace.FromNetwork}
				if trace.IsSecret(path) {
					content.Taint |= trace.FromSecret
				}
				SaveInto(t, c, dest, trace.Value{Text: path}, content)
			}
			continue
		}
		p := t.Read(v, c.Scope, c.Span)
		taint |= t.ContentOf(p).Taint | v.Taint
		if upload {
			taint |= t.SendsSecret(c, &p)
		} else {
			SaveInto(t, c, dest, v, trace.Flow{})
		}
	}
	if upload {
		program.Upload(t, c, host, taint)
		if strings.HasPrefix(site, "/var/www") || strings.HasPrefix(site, "/usr/share/nginx") {
			t.MarkAll(c, "replaces a website on "+host, effect.Deploy, effect.DevopsInvoked)
		}
	}
}

// SaveInto adds the effect of writing one copied source to a file or into a folder. If the command is rsync and the
// source ends in a slash, the content of the source folder is copied.
func SaveInto(t *trace.Trace, c *trace.Command, dest, source trace.Value, content trace.Flow) {
	if c.Name == "rsync" && strings.HasSuffix(source.Text, "/") {
		source.Text += "."
	}
	if file := files.Put(t, c, []trace.Value{source}, dest, true); file != "" && content.Taint != 0 {
		to := dest
		if trace.NameInside(source) != trace.Everything {
			to = CopyTarget(dest, source.Text)
		}
		t.Remember(file, content)
		t.Remember(t.Place(to, c.Scope).Name, content)
		t.BringIn(c, to)
	}
}

// CopyTarget returns the file to which a source is copied. If the parameter "dest" is a folder, the result is a file in
// this folder. Otherwise, the result is the parameter "dest" itself.
func CopyTarget(dest trace.Value, source string) trace.Value {
	if dest.Text != "." && dest.Text != ".." && !strings.HasSuffix(dest.Text, "/") {
		return dest
	}
	base := source[strings.LastIndexByte(strings.TrimSuffix(source, "/"), '/')+1:]
	dest.Text = strings.TrimSuffix(dest.Text, "/") + "/" + base
	return dest
}

const rsyncValues = "e rsh f filter exclude include exclude-from include-from files-from T temp-dir compare-dest " +
	"copy-dest link-dest B M password-file bwlimit max-size min-size port timeout rsync-path log-file out-format chmod " +
	"chown backup-dir suffix partial-dir info debug max-delete"

// The function rsync analyzes the program rsync. With --delete, rsync deletes the files that are only at the
// destination and not in the source.
func rsync(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), rsyncValues)
	for _, v := range o.Values("e rsh") {
		if program, _, _ := strings.Cut(v.Text, " "); trace.ProgramName(program) != "ssh" {
			t.RunText(c, v)
		}
	}
	// A shell on the other machine runs this text. A single command, such as "sudo rsync", only starts rsync.
	for _, v := range o.Values("rsync-path") {
		if strings.ContainsAny(v.Text, ";&|`$\n") && len(o.Operands) > 0 {
			host, _, _ := RemotePart(o.Operands[len(o.Operands)-1].Text)
			RunRemote(t, c, host, v)
		}
	}
	if o.Has("n dry-run list-only") || len(o.Operands) < 2 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	for _, v := range o.Operands[:len(o.Operands)-1] {
		t.MarkCopied(c, v, true, false)
	}
	for _, v := range o.Values("link-dest") {
		t.MarkCopied(c, v, true, true)
	}
	copyBetween(t, c, o.Operands)
	sendIncluded(t, c, &o)
	last := o.Operands[len(o.Operands)-1]
	if deletes(&o) {
		mirror(t, c, o.Operands[0], last)
	}
	if o.Has("remove-source-files") {
		_, _, leaves := RemotePart(last.Text)
		for _, v := range o.Operands[:len(o.Operands)-1] {
			if _, _, remote := RemotePart(v.Text); !remote {
				from := t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, Moved: !leaves, How: "moves away"})
				files.MarkLeaving(t, c, &from, last)
			}
		}
	}
	return trace.Nothing()
}

// sendIncluded marks an upload if the flag --include names a file with secrets.
func sendIncluded(t *trace.Trace, c *trace.Command, o *flags.Options) {
	host, _, remote := RemotePart(o.Operands[len(o.Operands)-1].Text)
	for _, v := range o.Values("include") {
		if remote && trace.IsSecret(v.Text) {
			program.Upload(t, c, host, trace.FromSecret)
		}
	}
}

func deletes(o *flags.Options) bool {
	for _, f := range o.Flags {
		if f.Name == "del" || f.Name == "delete" || strings.HasPrefix(f.Name, "delete-") {
			return true
		}
	}
	return false
}

// mirror() adds the effect of deleting the files that are only at the destination and not in the source.
func mirror(t *trace.Trace, c *trace.Command, source, dest trace.Value) {
	if host, path, remote := RemotePart(dest.Text); remote {
		at := path + " on " + words.OrElse(host, "another machine")
		t.Mark(c, "deletes extra files in "+at, effect.DestructiveOp)
		return
	}
	// Build output is often copied to the folder of a web server in the project. All files in that folder are then
	// build output too.
	from := t.Place(source, c.Scope)
	built := t.Place(dest, c.Scope).Zone == trace.Project && from.Zone == trace.Project && trace.IsRegenerable(from.Name)
	t.Remove(dest, c.Scope, c.Span, trace.Removal{Tree: true, Moved: built, How: "deletes", Part: "extra files"})
}
