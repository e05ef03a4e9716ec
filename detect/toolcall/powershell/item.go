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
	content := unknownFrom(trace.FromFile)
	sources := c.paths(&o)
	for _, v := range sources {
		content = c.p.read(v, c.span)
	}
	for _, v := range o.valueAt(1, "destination destinationpath").values {
		if c.name == "expand-archive" {
			files.UnpackInto(c.p.trace, c.inner, []trace.Value{c.p.path(v)})
		} else {
			c.put(sources, v, content)
		}
	}
	return objects{}
}

// put() adds the effect of copying or moving files to a target, which may be a folder.
func (c *call) put(sources []trace.Value, to trace.Value, content objects) {
	if c.p.changeDrive(to, content, "changes", c.span) {
		return
	}
	from := []trace.Value{}
	for _, v := range sources {
		from = append(from, c.p.path(v))
	}
	if len(from) == 0 {
		from = []trace.Value{{Text: trace.Anything}}
	}
	c.p.remember(files.Put(c.p.trace, c.inner, from, c.p.path(to), true), content, false)
}

func (c *call) moveItem() objects {
	o := c.params()
	if o.isOn("whatif") {
		return objects{}
	}
	target := o.valueAt(1, "destination newname").single(" ")
	sources := c.paths(&o)
	for _, v := range sources {
		c.p.remove(v, c.span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
		if from := c.p.trace.Place(c.p.path(v), c.p.sc); c.p.trace.LeavesProject(&from, c.p.path(target), c.p.sc) {
			c.mark("moves "+from.Name+" out of the project into a temporary folder", effect.DestructiveOp)
		}
		if c.name == "rename-item" && !strings.ContainsAny(target.Text, `/\`) {
			target.Text = SiblingPath(v.Text, target.Text)
		}
	}
	c.put(sources, target, unknownFrom(trace.FromFile))
	return objects{}
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
