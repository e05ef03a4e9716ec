package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// tar reads what it packs and writes where it unpacks.
func tar(a *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 0 && !strings.HasPrefix(args[0].text, "-") && args[0].text != "" {
		bundled := args[0]
		bundled.text = "-" + bundled.text
		args = append([]value{bundled}, args[1:]...)
	}
	o := parseOptions(args, "f C T X b H I L N g file directory files-from exclude exclude-from transform to-command checkpoint-action use-compress-program owner group mode")
	for _, v := range o.values("to-command I use-compress-program") {
		a.runText(c, v)
	}
	for _, v := range o.values("checkpoint-action") {
		if script, ok := strings.CutPrefix(v.text, "exec="); ok {
			v.text = script
			a.runText(c, v)
		}
	}
	file := value{text: "-"}
	if vs := o.values("f file"); len(vs) > 0 {
		file = vs[0]
	}
	if o.has("c r u A create append update") {
		if o.has("remove-files") {
			for _, v := range o.operands {
				a.remove(v, c.sc, c.span, removal{tree: true, how: "packs and then deletes"})
			}
		}
		return a.pack(c, o.operands, file)
	}
	if o.has("x extract get") {
		dirs := o.values("C directory one-top-level")
		a.unpackInto(c, dirs)
		a.unpackMembers(c, dirs, o.operands)
	}
	return flow{taint: c.in.taint | fromProgram}
}

// pack notes what goes into an archive and where the archive goes.
func (a *analyzer) pack(c *command, sources []value, file value) flow {
	out := flow{taint: c.in.taint | fromProgram}
	for _, v := range sources {
		p := a.place(v, c.sc)
		e := p.effect(effect.Read, c.span)
		e.Tree = true
		a.markCopied(c, v, true, false)
		if p.secret {
			e.Note("packs "+p.name+", which holds secrets", effect.SecretAccess)
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
	} else {
		a.opaque(c.span, "unpacks an archive, and it is not known which files that overwrites")
	}
	a.markReplaced(c, to)
}

// unpackMembers notes the members of an archive that are named: they are written below where it is unpacked. Where none
// is, the archive may hold one that takes the place of a file of the guard.
func (a *analyzer) unpackMembers(c *command, dirs, members []value) {
	folder := firstText(dirs[max(0, len(dirs)-1):])
	if p := a.place(value{text: orElse(folder, ".")}, c.sc); len(members) == 0 && a.besideGuarded(p.abs) {
		a.mark(c, "unpacks an archive into "+p.name+", where files of the guard are; name the members to unpack", effect.GuardTamper)
	}
	for _, v := range members {
		v.text = inDir(folder, v.text)
		a.write(v, c.sc, c.span)
	}
}

func archive(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "x i t n b P o -TT unzip-command")
	operands := o.operands
	for _, v := range o.values("-TT TT unzip-command") {
		a.runText(c, v)
	}
	if c.name != "zip" && len(operands) > 0 {
		switch operands[0].text {
		case "x", "e":
			a.unpackInto(c, o.values("o"))
			a.unpackMembers(c, o.values("o"), operands[min(2, len(operands)):])
			return nothing()
		case "l", "t":
			return nothing()
		}
		operands = operands[1:]
	}
	if len(operands) == 0 {
		return nothing()
	}
	if o.has("m move -sdel") {
		for _, v := range operands[1:] {
			a.remove(v, c.sc, c.span, removal{tree: true, moved: true, how: "packs and then deletes"})
		}
	}
	return a.pack(c, operands[1:], operands[0])
}

func unpack(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "d x P")
	if c.name == "unzip" || c.name == "unrar" {
		if !o.has("l t p Z v") {
			a.unpackInto(c, o.values("d"))
			a.unpackMembers(c, o.values("d"), o.operands[min(1, len(o.operands)):])
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
	if o.has("d decompress uncompress") || strings.HasPrefix(c.name, "gun") || strings.HasPrefix(c.name, "un") || strings.HasPrefix(c.name, "bun") {
		t |= decoded
	}
	for _, v := range o.operands {
		if o.has("c stdout k keep l t list test") {
			t |= a.readFlow(v, c.sc, c.span).taint
			continue
		}
		a.write(v, c.sc, c.span)
	}
	return flow{taint: t}
}
