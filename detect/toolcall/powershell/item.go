package powershell

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func (c *PowerCall) removeItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	tree := o.has("recurse") || c.in.tree
	for _, n := range o.named {
		tree = tree || strings.Trim(n.name, "rfvi") == "" && strings.Contains(n.name, "r")
	}
	for _, arg := range o.operands {
		// rd /s /q, as cmd has it.
		tree = tree || strings.EqualFold(arg.single("").Text, "/s")
	}
	for _, v := range c.paths(&o) {
		if len(v.Text) == 2 && v.Text[0] == '/' {
			continue
		}
		c.P.remove(v, c.Span, trace.Removal{Tree: tree, How: "deletes"})
	}
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		for _, v := range arg.list {
			if len(v.Text) != 2 || v.Text[0] != '/' {
				c.P.remove(v, c.Span, trace.Removal{Tree: tree, How: "deletes"})
			}
		}
	}
	return powerData{}
}

func (c *PowerCall) writeContent() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	data := c.in
	if arg, ok := o.value("value inputobject"); ok {
		data = arg.powerData
	} else if len(o.operands) > 1 && c.name != "set-acl" {
		data = o.operands[1].powerData
	}
	if c.name == "clear-content" {
		data = textData("")
	}
	targets := o.take(0, "path literalpath filepath").list
	for _, v := range targets {
		c.P.write(v, c.Span, data)
		if c.name == "set-acl" && c.P.trace.Place(c.P.path(v), c.P.sc).Zone >= trace.Outside {
			c.mark("changes who may use "+trace.Shorten(v.Text), effect.PermissionOpen)
		}
	}
	if c.name == "tee-object" {
		return c.in
	}
	return powerData{}
}

func (c *PowerCall) newItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	data := powerData{}
	if arg, ok := o.value("value target"); ok {
		data = arg.powerData
	}
	name, named := o.value("name")
	for _, v := range o.take(0, "path").list {
		if named {
			v = trace.Concat(v, trace.Value{Text: "/"})
			v = trace.Concat(v, name.single(""))
		}
		c.P.write(v, c.Span, data)
	}
	if len(o.take(0, "path").list) == 0 && named {
		c.P.write(name.single(""), c.Span, data)
	}
	return powerData{}
}

func (c *PowerCall) copyItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	content := unknownWith(trace.FromFile)
	for _, v := range c.paths(&o) {
		content = c.P.read(v, c.Span)
	}
	for _, v := range o.take(1, "destination destinationpath").list {
		c.P.write(v, c.Span, content)
	}
	return powerData{}
}

func (c *PowerCall) moveItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	target := o.take(1, "destination newname").single(" ")
	for _, v := range c.paths(&o) {
		c.P.remove(v, c.Span, trace.Removal{Tree: true, Moved: true, How: "moves away"})
		if c.name == "rename-item" && !strings.ContainsAny(target.Text, `/\`) {
			target.Text = SiblingPath(v.Text, target.Text)
		}
	}
	c.P.write(target, c.Span, unknownWith(trace.FromFile))
	return powerData{}
}

// SiblingPath is a name in the folder of another path.
func SiblingPath(path, name string) string {
	return path[:strings.LastIndexAny(path, `/\`)+1] + name
}

func (c *PowerCall) getContent() powerData {
	o := c.params()
	position := words.Btoi(c.name == "select-string")
	var out powerData
	paths := o.take(position, "path literalpath").list
	if len(paths) == 0 && position == 0 {
		paths = c.paths(&o)
	}
	if len(paths) == 0 {
		return unknownWith(c.in.taint())
	}
	for _, v := range paths {
		out.add(c.P.read(v, c.Span))
	}
	return out
}

// listItems gives file objects on; what goes into folders gives everything below them.
func (c *PowerCall) listItems() powerData {
	o := c.params()
	if len(o.operands) > 0 && drive(o.operands[0].single("")) == "env" {
		return unknownWith(trace.FromEnviron)
	}
	out := powerData{tree: o.has("recurse")}
	paths := c.paths(&o)
	if len(paths) == 0 {
		paths = []trace.Value{{Text: c.P.sc.Cwd, Quality: trace.Quality{Partial: c.P.sc.CwdUnknown}}}
	}
	for _, v := range paths {
		filter, filtered := o.value("filter include")
		if filtered {
			v = trace.Concat(v, trace.Value{Text: "/" + filter.single("").Text, Quality: trace.Quality{Glob: true}})
		} else if c.name == "get-childitem" && !v.Glob {
			v = trace.Concat(v, trace.Value{Text: "/*", Quality: trace.Quality{Glob: true}})
		}
		out.files = append(out.files, v)
	}
	return out
}

func (c *PowerCall) joinPath() powerData {
	o := c.params()
	v := trace.Concat(o.take(0, "path").single(" "), trace.Value{Text: "/"})
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		v = trace.Concat(v, arg.single("/"))
	}
	if arg, ok := o.value("childpath"); ok {
		v = trace.Concat(v, arg.single("/"))
	}
	return powerData{list: []trace.Value{capped(v)}}
}

// setItem changes what a registry key, a file's attributes or a variable holds.
func (c *PowerCall) setItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	for _, v := range c.paths(&o) {
		c.P.write(v, c.Span, o.take(1, "value").powerData)
	}
	return powerData{}
}
