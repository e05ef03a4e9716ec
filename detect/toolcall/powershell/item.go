package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (c *call) removeItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	tree := o.isOn("recurse") || c.in.tree
	for _, n := range o.named {
		tree = tree || strings.Trim(n.name, "rfvi") == "" && strings.Contains(n.name, "r")
	}
	for _, arg := range o.operands {
		// The options of cmd.exe begin with a slash, as in "rd /s /q".
		tree = tree || strings.EqualFold(arg.single("").Text, "/s")
	}
	for _, v := range c.paths(&o) {
		if len(v.Text) == 2 && v.Text[0] == '/' {
			continue
		}
		c.p.remove(v, c.span, trace.Removal{Tree: tree, How: "deletes"})
	}
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		for _, v := range arg.values {
			if len(v.Text) != 2 || v.Text[0] != '/' {
				c.p.remove(v, c.span, trace.Removal{Tree: tree, How: "deletes"})
			}
		}
	}
	return objects{}
}

func (c *call) writeContent() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	data := c.in
	if arg, ok := o.value("value inputobject"); ok {
		data = arg.objects
	} else if len(o.operands) > 1 && c.name != "set-acl" {
		data = o.operands[1].objects
	}
	if c.name == "clear-content" {
		data = textObject("")
	}
	targets := o.valueAt(0, "path literalpath filepath").values
	for _, v := range targets {
		c.p.save(v, c.span, data, c.name == "add-content" || o.isOn("append"))
		if c.name == "set-acl" && c.p.trace.Place(c.p.path(v), c.p.sc).Zone >= trace.Outside {
			c.mark("changes who may use "+trace.Shorten(v.Text), effect.PermissionOpen)
		}
	}
	if c.name == "tee-object" {
		return c.in
	}
	return objects{}
}

func (c *call) newItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	data := objects{}
	if arg, ok := o.value("value target"); ok {
		data = arg.objects
	}
	name, named := o.value("name")
	for _, v := range o.valueAt(0, "path").values {
		if named {
			v = trace.Concat(v, trace.Value{Text: "/"})
			v = trace.Concat(v, name.single(""))
		}
		c.p.write(v, c.span, data)
	}
	if len(o.valueAt(0, "path").values) == 0 && named {
		c.p.write(name.single(""), c.span, data)
	}
	return objects{}
}

func (c *call) copyItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	sources := c.paths(&o)
	for _, v := range o.valueAt(1, "destination destinationpath").values {
		if c.name == "expand-archive" {
			c.p.unpack(v, c.span)
		} else {
			c.runAs("ditto", sources, v) // copies files and folders
		}
	}
	return objects{}
}

func (c *call) moveItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	target := o.valueAt(1, "destination newname").single(" ")
	sources := c.paths(&o)
	if c.name == "rename-item" && len(sources) > 0 && !strings.ContainsAny(target.Text, `/\`) {
		target.Text = SiblingPath(sources[0].Text, target.Text)
	}
	c.runAs("mv", sources, target)
	return objects{}
}

// runAs() adds the effects that a program with the arguments SOURCE... TARGET has.
func (c *call) runAs(program string, sources []trace.Value, to trace.Value) {
	operands := make([]trace.Value, 0, len(sources)+1)
	for _, v := range sources {
		if drive(v) == "" {
			operands = append(operands, c.p.path(v))
		} else if program == "mv" {
			c.p.remove(v, c.span, trace.Removal{})
		}
	}
	if len(operands) == 0 {
		operands = append(operands, trace.Value{Text: trace.Anything, Quality: trace.Quality{Partial: true}})
	}
	if !c.p.changeDrive(to, unknownFrom(trace.FromFile), "changes", c.span) {
		c.p.trace.RunAs(c.inner, program, append(operands, c.p.path(to)))
	}
}

// unpack() adds the effects of unpacking an archive into a folder.
func (p *interpreter) unpack(folder trace.Value, span effect.Span) {
	c := &trace.Command{Scope: p.sc, Span: span, Run: len(p.trace.Effects)}
	files.UnpackInto(p.trace, c, []trace.Value{p.path(folder)})
}

// SiblingPath replaces the last element of a path with the given name, and returns the result.
func SiblingPath(path, name string) string {
	return path[:strings.LastIndexAny(path, `/\`)+1] + name
}

func (c *call) getContent() objects {
	o := c.params()
	position := words.Btoi(c.name == "select-string")
	var out objects
	paths := o.valueAt(position, "path literalpath").values
	if len(paths) == 0 && position == 0 {
		paths = c.paths(&o)
	}
	if len(paths) == 0 {
		return unknownFrom(c.in.taint())
	}
	for _, v := range paths {
		out.add(c.p.read(v, c.span))
	}
	return out
}

// listItems returns the file objects for the listed files. With -Recurse, the file objects include everything below
// each folder.
func (c *call) listItems() objects {
	o := c.params()
	if len(o.operands) > 0 && drive(o.operands[0].single("")) == "env" {
		return unknownFrom(trace.FromEnviron)
	}
	out := objects{tree: o.isOn("recurse")}
	paths := c.paths(&o)
	if len(paths) == 0 {
		paths = []trace.Value{{Text: c.p.sc.Cwd, Quality: trace.Quality{Partial: c.p.sc.CwdUnknown}}}
	}
	filter, _ := o.value("filter include")
	for _, v := range paths {
		for _, name := range filter.values {
			out.files = append(out.files, trace.Concat(v, trace.Value{Text: "/" + name.Text, Quality: trace.Quality{Glob: true}}))
		}
		if len(filter.values) > 0 {
			continue
		}
		if c.name == "get-childitem" && !v.Glob {
			v = trace.Concat(v, trace.Value{Text: "/*", Quality: trace.Quality{Glob: true}})
		}
		out.files = append(out.files, v)
	}
	return out
}

func (c *call) joinPath() objects {
	o := c.params()
	v := trace.Concat(o.valueAt(0, "path").single(" "), trace.Value{Text: "/"})
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		v = trace.Concat(v, arg.single("/"))
	}
	if arg, ok := o.value("childpath"); ok {
		v = trace.Concat(v, arg.single("/"))
	}
	return objects{values: []trace.Value{limitText(v)}}
}

// setItem analyzes a cmdlet that changes a registry key, a file's attributes or a variable.
func (c *call) setItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	for _, v := range c.paths(&o) {
		c.p.write(v, c.span, o.valueAt(1, "value").objects)
	}
	return objects{}
}
