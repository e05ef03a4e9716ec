package files

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// FilterHandler returns the handler of a program that reads files or its input and prints a result. It returns nil for
// any other program.
func FilterHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "cat tac less more most bat batcat nl head tail strings sort uniq cut paste column fold fmt "+
		"expand pv look zcat zless bzcat xzcat join comm diff cmp sdiff vimdiff od hexdump xxd view pr rev tr iconv "+
		"dos2unix unix2dos shuf csvcut jless glow mdcat pygmentize highlight fgrep zgrep envsubst"):
		return filter
	case words.Among(name, "grep egrep rg ripgrep ag ack ggrep"):
		return search
	case words.Among(name, "jq yq gojq xmllint xq dasel fx"):
		return query
	case "base64", "base32", "gbase64", "uudecode":
		return baseCode
	case words.Among(name, "ls ll la exa eza lsd tree stat file du df wc md5sum sha1sum sha256sum shasum cksum b3sum "+
		"id whoami hostname uname cal uptime free groups tty nproc locale getconf man info help "+
		"tput clear seq expr bc factor ssh-add ssh-keyscan lsblk blkid findmnt "+
		"tldr cowsay figlet code cursor subl open xdg-open pbcopy dircolors"):
		return describe
	}
	return nil
}

// filter() analyzes a program that reads its operands or its input and prints them in another form.
func filter(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), filterFlags(c.Name))
	operands := o.Operands
	switch c.Name {
	case "tr":
		operands = nil
	case "envsubst":
		operands = o.Values("i input")
	case "look":
		operands = operands[min(1, len(operands)):]
	}
	operands = program.FilterOutputs(t, c, &o, operands)
	out := c.In
	for i, v := range operands {
		if v.Text == "-" {
			continue
		}
		f := t.ReadFlow(v, c.Scope, c.Span)
		if i == 0 && len(operands) == 1 {
			out = f
		} else {
			out = trace.Flow{Taint: out.Taint | f.Taint}
		}
	}
	return transformed(t, c, o, out)
}

func filterFlags(name string) string {
	switch name {
	case "head", "tail":
		return flags.Abbreviates + "n c lines bytes s pid"
	case "sort":
		return flags.Abbreviates + "k t o S T key field-separator output"
	case "envsubst":
		return flags.Abbreviates + "i o input output"
	case "cut":
		return flags.Abbreviates + "d f c b delimiter fields"
	case "xxd":
		return flags.Abbreviates + "s l c g o n"
	case "od":
		return flags.Abbreviates + "A j N S t w address-radix skip-bytes read-bytes format"
	case "hexdump":
		return flags.Abbreviates + "s n e f"
	case "uniq":
		return flags.Abbreviates + "f s w skip-fields skip-chars check-chars"
	case "shuf":
		return flags.Abbreviates + "n o i head-count output input-range random-source"
	case "pr":
		return flags.Abbreviates + "l w W h o N D length width header indent"
	case "bat", "batcat":
		return "l r language line-range style theme H"
	case "diff", "sdiff":
		return flags.Abbreviates + "U C I x F L label exclude output"
	case "column":
		return flags.Abbreviates + "s o c N H W R O E T l"
	case words.Among(name, "paste fold fmt nl iconv pv join pygmentize"):
		return flags.Abbreviates + "t d f l w c s o N i L e b r"
	}
	return flags.Abbreviates
}

// search() analyzes grep and similar programs. It adds the effect of reading each file that these programs search.
func search(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"e f A B C m g t T d D regexp file after-context before-context context max-count glob "+
		"type include exclude exclude-dir color colour replace pre pager")
	files := o.Operands
	if len(o.Values("e regexp")) == 0 && len(o.Values("f file")) == 0 && !o.Has("files") && len(files) > 0 {
		files = files[1:]
	}
	t.RunTexts(c, o.Values("pre pager"))
	files = append(files, includedSecrets(&o)...)
	markSecretSearch(t, c, &o, files)
	quiet := o.Has("q quiet silent c count l files-with-matches L")
	out := trace.Flow{Taint: c.In.Taint | trace.FromProgram, File: c.In.File}
	if o.Has("l files-with-matches L files-without-match") {
		out.Taint |= trace.FromFile // the output is a list of the project's files
	}
	for _, v := range files {
		p := t.Place(v, c.Scope)
		if o.Has("l files-with-matches") && trace.IsGuardFolder(p.Name) {
			out.Text, out.Known = p.Abs+"/*\n", true
		}
		if quiet {
			t.Emit(p.Effect(effect.Read, c.Span))
			continue
		}
		f := t.ReadFlow(v, c.Scope, c.Span)
		if out.Taint |= f.Taint; len(files) == 1 && o.Has("v invert-match") {
			out.File = f.File
		}
	}
	return out
}

// includedSecrets returns the secret files that a flag such as --include='.env*' selects for the search.
func includedSecrets(o *flags.Options) []trace.Value {
	var out []trace.Value
	for _, v := range o.Values("include g glob") {
		if trace.IsSecret(v.Text) && v.Text[0] != '!' {
			v.Glob = true
			out = append(out, v)
		}
	}
	return out
}

// query() analyzes jq, yq and similar programs. It ignores the expression in the arguments of these programs. It adds
// the effect of reading each file. If the command has the flag -i, it adds the effect of writing each file instead.
func query(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "L f p o I from-file input-format output-format indent output")
	files := o.Operands
	named := o.Has("arg argjson slurpfile rawfile args jsonargs")
	if len(files) > 0 {
		if files[0].Text == "eval" || files[0].Text == "e" || files[0].Text == "eval-all" {
			files = files[1:]
		}
		if len(files) != 1 || c.Name != "yq" || c.In.Text != "" || c.In.Taint != 0 { // yq needs no expression
			files = files[min(1, len(files)):]
		}
	}
	program.FilterOutputs(t, c, &o, nil)
	out := trace.Flow{Taint: c.In.Taint | trace.FromProgram}
	for _, v := range files {
		switch {
		case o.Has("i inplace in-place"):
			t.Write(v, c.Scope, c.Span)
		case !named, o.Has("slurpfile rawfile") && trace.IsSecret(v.Text):
			out.Taint |= t.ReadFlow(v, c.Scope, c.Span).Taint
		}
	}
	return out
}

// describe() analyzes programs that print facts about files or the machine, but not the contents of files.
func describe(t *trace.Trace, c *trace.Command) trace.Flow {
	if c.Name == "hostname" || c.Name == "whoami" || c.Name == "id" {
		return userOf(t, c)
	}
	if c.Name == "ls" {
		return listed(c)
	}
	return trace.Flow{Taint: c.In.Taint&^(trace.FromSecret|trace.FromVariables) | trace.FromProgram}
}

// listed() returns the output of ls. The output is known if all operands are globs and there is no flag -l. Each glob
// then stands for the names that it matches.
func listed(c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"I w T")
	var names strings.Builder
	for _, v := range o.Operands {
		if !v.Glob || v.Partial || strings.ContainsAny(v.Text, " \t\n") {
			names.Reset()
			break
		}
		names.WriteString(v.Text + "\n")
	}
	if names.Len() == 0 || o.Has("l") {
		return trace.Flow{Taint: trace.FromProgram | trace.FromFile}
	}
	return trace.Flow{Text: names.String(), Known: true, Taint: trace.FromProgram}
}

// userOf returns the name or number that whoami or id prints. If the name or number is not known, the result is an
// unknown output.
func userOf(t *trace.Trace, c *trace.Command) trace.Flow {
	variable := ""
	switch c.Name + " " + trace.JoinArgs(c.Args()) {
	case "whoami ", "id -un", "id -nu":
		variable = "USER"
	case "id -u":
		variable = "UID"
	}
	text, known := t.Inherited(variable)
	return trace.Flow{Taint: trace.FromProgram, Known: known, Text: text}
}

// markSecretSearch marks a search for keys and passwords in the whole home folder or the whole system.
func markSecretSearch(t *trace.Trace, c *trace.Command, o *flags.Options, files []trace.Value) {
	recursive := o.Has("r R recursive") || c.Name != "grep" && c.Name != "egrep" && c.Name != "ggrep"
	pattern := strings.ToLower(trace.JoinAll(append(o.Values("e regexp"), o.Operands[:min(1, len(o.Operands))]...)))
	for _, word := range [...]string{
		"private key", "akia", "password", "passwd", "secret", "token", "api_key", "apikey", "credential",
		"ghp_", "sk-", "xox",
	} {
		if !recursive || !strings.Contains(pattern, word) {
			continue
		}
		for _, v := range files {
			if p := t.Place(v, c.Scope); p.Zone == trace.System {
				t.Mark(c, "searches "+p.Name+" for secrets", effect.SecretAccess)
				return
			}
		}
	}
}

// transformed() returns the output of a filter. It computes the result of simple filters if the input text is known.
func transformed(t *trace.Trace, c *trace.Command, o flags.Options, in trace.Flow) trace.Flow {
	switch c.Name {
	case words.Among(c.Name, "cat less more bat batcat pv view"):
		if len(c.Argv) == 1 || in.From() != "" || in.Known {
			return in
		}
	case "rev":
		in.Taint |= trace.Decoded
		if in.Known {
			in.Text = mapLines(in.Text, reverse)
		}
		return in
	case "tac":
		return in
	case "tr":
		return translate(o, in)
	case "xxd", "od", "hexdump":
		if o.Has("r revert") {
			return decodeHex(in)
		}
	case "head", "tail":
		if in.Taint.Has(trace.Endless) && c.Name == "tail" {
			t.Mark(c, "keeps endless input in memory", effect.ResourceExhaust)
		}
		in.Taint &^= trace.Endless
		if in.Known && strings.Count(in.Text, "\n") <= 1 {
			return in
		}
		if first, _, _ := strings.Cut(in.Text, "\n"); in.Known && c.Name == "head" && onlyFirst(c.Args()) {
			in.Text = first + "\n"
			return in
		}
	}
	return trace.Flow{Taint: in.Taint | trace.FromProgram, File: in.File}
}

// onlyFirst reports whether the arguments of head ask for the first line.
func onlyFirst(args []trace.Value) bool {
	text := trace.JoinArgs(args)
	return text == "-1" || text == "-n1" || text == "-n 1" || text == "--lines=1"
}

func mapLines(text string, f func(string) string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = f(lines[i])
	}
	return strings.Join(lines, "\n")
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// translate() computes the output of tr for known text, because tr can decode a hidden command.
func translate(o flags.Options, in trace.Flow) trace.Flow {
	if !in.Known {
		return trace.Flow{Taint: in.Taint | trace.FromProgram, File: in.File}
	}
	from, to := unfoldRanges(o.Word(0)), unfoldRanges(o.Word(1))
	var b strings.Builder
	for _, r := range in.Text {
		i := slices.Index(from, r)
		switch {
		case i < 0:
			b.WriteRune(r)
		case o.Has("d delete") || len(to) == 0:
		default:
			b.WriteRune(to[min(i, len(to)-1)])
		}
	}
	t := in.Taint
	if b.String() != in.Text && len(from) > 1 {
		t |= trace.Decoded
	}
	return trace.Flow{Text: b.String(), Known: true, Taint: t}
}

// unfoldRanges returns the characters that an argument of tr stands for, such as a-z or [:digit:].
func unfoldRanges(s string) []rune {
	s = words.Replace(s, "[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:space:]", " \t\n",
		`\n`, "\n", `\t`, "\t")
	r := []rune(s)
	var out []rune
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] <= r[i+2] && r[i+2]-r[i] < 128 {
			for x := r[i]; x <= r[i+2]; x++ {
				out = append(out, x)
			}
			i += 2
			continue
		}
		out = append(out, r[i])
	}
	return out
}

func decodeHex(in trace.Flow) trace.Flow {
	f := trace.Flow{Taint: in.Taint | trace.Decoded}
	if in.Known {
		f.Text, f.Known = words.FromHex(in.Text)
	}
	return f
}

func baseCode(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"w b i o wrap input output")
	program.FilterOutputs(t, c, &o, nil)
	in := c.In
	for _, v := range o.Operands {
		in = t.ReadFlow(v, c.Scope, c.Span)
	}
	if !o.Has("d D decode") && c.Name != "uudecode" {
		return trace.Flow{Taint: in.Taint | trace.FromProgram}
	}
	f := trace.Flow{Taint: in.Taint | trace.Decoded}
	if in.Known {
		f.Text, f.Known = words.FromBase64(in.Text)
	}
	return f
}
