package tooluse

import "strings"

// tar reads what it packs and writes where it unpacks.
func tar(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && !strings.HasPrefix(args[0].text, "-") && args[0].text != "" {
		bundled := args[0]
		bundled.text = "-" + bundled.text
		args = append([]value{bundled}, args[1:]...)
	}
	o := parseOptions(args, "f C T X b H I L N g file directory files-from exclude exclude-from transform to-command checkpoint-action use-compress-program owner group mode")
	for _, v := range o.values("to-command", "I", "use-compress-program") {
		a.runText(c, v)
	}
	for _, v := range o.values("checkpoint-action") {
		if script, ok := strings.CutPrefix(v.text, "exec="); ok {
			v.text = script
			a.runText(c, v)
		}
	}
	file := value{text: "-"}
	if vs := o.values("f", "file"); len(vs) > 0 {
		file = vs[0]
	}
	if o.has("c", "r", "u", "A", "create", "append", "update") {
		if o.has("remove-files") {
			for _, v := range o.operands {
				a.remove(v, c.sc, c.span, removal{tree: true, how: "packs and then deletes"})
			}
		}
		return a.pack(c, o.operands, file)
	}
	if o.has("x", "extract", "get") {
		a.unpackInto(c, o.values("C", "directory"))
	}
	return flow{taint: c.in.taint | fromProgram}
}

// pack notes what goes into an archive and where the archive goes.
func (a *analyzer) pack(c *command, sources []value, file value) flow {
	out := flow{taint: c.in.taint | fromProgram}
	for _, v := range sources {
		p := a.place(v, c.sc)
		e := p.effect(Read, c.span)
		e.Tree = true
		if p.secret {
			e.note("packs "+p.name+", which holds secrets", SecretAccess)
			out.taint |= fromSecret
		}
		a.emit(e)
	}
	if file.text != "-" && file.text != "" {
		if name := a.write(file, c.sc, c.span); name != "" {
			a.remember(name, out)
		}
		return nothing()
	}
	return out
}

func (a *analyzer) unpackInto(c *command, dirs []value) {
	to := value{text: "."}
	if len(dirs) > 0 {
		to = dirs[len(dirs)-1]
	}
	if p := a.place(to, c.sc); p.zone != root {
		a.write(to, c.sc, c.span)
	}
}

func archive(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "x i t n b P -TT unzip-command")
	operands := o.operands
	for _, v := range o.values("-TT", "TT", "unzip-command") {
		a.runText(c, v)
	}
	if c.name != "zip" && len(operands) > 0 {
		if verb := operands[0].text; verb == "x" || verb == "e" || verb == "l" {
			return nothing()
		}
		operands = operands[1:]
	}
	if len(operands) == 0 {
		return nothing()
	}
	return a.pack(c, operands[1:], operands[0])
}

func unpack(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "d x P")
	if c.name == "unzip" || c.name == "unrar" {
		if !o.has("l", "t", "p", "Z", "v") {
			a.unpackInto(c, o.values("d"))
		}
		return flow{taint: fromProgram}
	}
	return a.compressed(c, o)
}

func compress(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "S")
	return a.compressed(c, o)
}

// compressed is gzip and its kind: files are replaced, streams pass through; unpacked text counts as decoded.
func (a *analyzer) compressed(c *command, o options) flow {
	t := c.in.taint | fromProgram
	if o.has("d", "decompress", "uncompress") || strings.HasPrefix(c.name, "gun") || strings.HasPrefix(c.name, "un") || strings.HasPrefix(c.name, "bun") {
		t |= decoded
	}
	for _, v := range o.operands {
		if o.has("c", "stdout", "k", "keep", "l", "t", "list", "test") {
			t |= a.readFlow(v, c.sc, c.span).taint
			continue
		}
		a.write(v, c.sc, c.span)
	}
	return flow{taint: t}
}
