package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// filterHandler knows the programs that read files or their input and print something of it.
func filterHandler(name string) handler {
	switch name {
	case among(name, "cat tac less more most bat batcat nl head tail strings sort uniq cut paste column fold fmt expand pv "+
		"look zcat zless bzcat xzcat join comm diff cmp sdiff vimdiff od hexdump xxd view pr rev tr iconv "+
		"dos2unix unix2dos shuf csvcut jless glow mdcat pygmentize highlight fgrep zgrep"):
		return filter
	case among(name, "grep egrep rg ripgrep ag ack ggrep"):
		return search
	case among(name, "jq yq gojq xmllint xq dasel fx"):
		return query
	case "base64", "base32", "gbase64", "uudecode":
		return baseCode
	case among(name, "ls ll la exa eza lsd tree stat file du df wc md5sum sha1sum sha256sum shasum cksum b3sum lsof pgrep "+
		"ps id whoami hostname uname date cal uptime free groups tty nproc arch locale getconf man info help "+
		"tput clear seq expr bc factor ssh-keygen ssh-add ssh-keyscan ssh-copy-id lsblk blkid findmnt history "+
		"printenv tldr cowsay figlet code cursor subl open xdg-open pbcopy dircolors"):
		return describe
	}
	return nil
}

// filter reads its operands, or its input, and prints it in another form.
func filter(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), filterFlags(c.name))
	operands := o.operands
	switch c.name {
	case "tr":
		operands = nil
	case "look":
		operands = operands[min(1, len(operands)):]
	}
	operands = a.filterOutputs(c, &o, operands)
	out := c.in
	for i, v := range operands {
		if v.text == "-" {
			continue
		}
		f := a.readFlow(v, c.sc, c.span)
		if i == 0 && len(operands) == 1 {
			out = f
		} else {
			out = flow{taint: out.taint | f.taint}
		}
	}
	return a.transformed(c, o, out)
}

func filterFlags(name string) string {
	switch name {
	case "head", "tail":
		return "n c lines bytes s pid"
	case "sort":
		return "k t o S T key field-separator output"
	case "cut":
		return "d f c b delimiter fields"
	case "xxd":
		return "s l c g o n"
	case "od":
		return "A j N S t w address-radix skip-bytes read-bytes format"
	case "hexdump":
		return "s n e f"
	case "uniq":
		return "f s w skip-fields skip-chars check-chars"
	case "shuf":
		return "n o i e_ head-count output input-range random-source"
	case "pr":
		return "l w W h o N D length width header indent"
	case "bat", "batcat":
		return "l r language line-range style theme H"
	case "diff", "sdiff":
		return "U C I x F L label exclude output"
	case among(name, "column paste fold fmt nl iconv pv join pygmentize"):
		return "t d f l w c s o N i L e b r"
	}
	return ""
}

// search is grep: its pattern is data, its files are read.
func search(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "e f A B C m g t T d D regexp file after-context before-context context max-count glob type include exclude exclude-dir color colour replace r_ pre")
	files := o.operands
	if len(o.values("e regexp")) == 0 && len(o.values("f file")) == 0 && !o.has("files") && len(files) > 0 {
		files = files[1:]
	}
	for _, v := range o.values("pre") {
		a.runText(c, v)
	}
	a.hunts(c, &o, files)
	quiet := o.has("q quiet silent c count l files-with-matches L")
	out := flow{taint: c.in.taint | fromProgram, file: c.in.file}
	for _, v := range files {
		if quiet {
			a.emit(a.place(v, c.sc).effect(effect.Read, c.span))
			continue
		}
		out.taint |= a.readFlow(v, c.sc, c.span).taint
	}
	return out
}

// query is jq and yq: the program is data, files are read, -i writes.
func query(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "L f p o I from-file input-format output-format indent output")
	files := o.operands
	named := o.has("arg argjson slurpfile rawfile args jsonargs")
	if len(files) > 0 {
		if files[0].text == "eval" || files[0].text == "e" || files[0].text == "eval-all" {
			files = files[1:]
		}
		files = files[min(1, len(files)):]
	}
	a.filterOutputs(c, &o, nil)
	out := flow{taint: c.in.taint | fromProgram}
	for _, v := range files {
		switch {
		case o.has("i inplace in-place"):
			a.write(v, c.sc, c.span)
		case !named:
			out.taint |= a.readFlow(v, c.sc, c.span).taint
		}
	}
	return out
}

// describe tells about files and the machine without giving contents away.
func describe(_ *analyzer, c *command) flow {
	if c.name == "printenv" && len(c.argv) == 1 {
		return flow{taint: fromEnviron}
	}
	if c.name == "hostname" || c.name == "whoami" || c.name == "id" {
		return flow{taint: fromProgram}
	}
	return flow{taint: c.in.taint&^fromSecret | fromProgram}
}

// hunts notes a search for keys and passwords through a whole home directory or system.
func (a *analyzer) hunts(c *command, o *options, files []value) {
	recursive := o.has("r R recursive") || c.name != "grep" && c.name != "egrep" && c.name != "ggrep"
	pattern := strings.ToLower(joinAll(append(o.values("e regexp"), o.operands[:min(1, len(o.operands))]...)))
	for _, word := range [...]string{"private key", "akia", "password", "passwd", "secret", "token", "api_key", "apikey", "credential", "ghp_", "sk-", "xox"} {
		if !recursive || !strings.Contains(pattern, word) {
			continue
		}
		for _, v := range files {
			if p := a.place(v, c.sc); p.zone == system {
				a.mark(c, "searches "+p.name+" for secrets", effect.SecretAccess)
				return
			}
		}
	}
}
