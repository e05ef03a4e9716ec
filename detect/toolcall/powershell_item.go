package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

func (c *powerCall) removeItem() powerData {
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
		tree = tree || strings.EqualFold(arg.single("").text, "/s")
	}
	for _, v := range c.paths(&o) {
		if len(v.text) == 2 && v.text[0] == '/' {
			continue
		}
		c.p.remove(v, c.span, removal{tree: tree, how: "deletes"})
	}
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		for _, v := range arg.list {
			if len(v.text) != 2 || v.text[0] != '/' {
				c.p.remove(v, c.span, removal{tree: tree, how: "deletes"})
			}
		}
	}
	return powerData{}
}

func (c *powerCall) writeContent() powerData {
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
		c.p.write(v, c.span, data)
		if c.name == "set-acl" && c.p.a.place(c.p.path(v), c.p.sc).zone >= outside {
			c.mark("changes who may use "+shorten(v.text), effect.PermissionOpen)
		}
	}
	if c.name == "tee-object" {
		return c.in
	}
	return powerData{}
}

func (c *powerCall) newItem() powerData {
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
			v = concat(v, value{text: "/"})
			v = concat(v, name.single(""))
		}
		c.p.write(v, c.span, data)
	}
	if len(o.take(0, "path").list) == 0 && named {
		c.p.write(name.single(""), c.span, data)
	}
	return powerData{}
}

func (c *powerCall) copyItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	content := unknownWith(fromFile)
	for _, v := range c.paths(&o) {
		content = c.p.read(v, c.span)
	}
	for _, v := range o.take(1, "destination destinationpath").list {
		c.p.write(v, c.span, content)
	}
	return powerData{}
}

func (c *powerCall) moveItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	target := o.take(1, "destination newname").single(" ")
	for _, v := range c.paths(&o) {
		c.p.remove(v, c.span, removal{tree: true, moved: true, how: "moves away"})
		if c.name == "rename-item" && !strings.ContainsAny(target.text, `/\`) {
			target.text = siblingPath(v.text, target.text)
		}
	}
	c.p.write(target, c.span, unknownWith(fromFile))
	return powerData{}
}

// siblingPath is a name in the folder of another path.
func siblingPath(path, name string) string {
	return path[:strings.LastIndexAny(path, `/\`)+1] + name
}

func (c *powerCall) getContent() powerData {
	o := c.params()
	position := btoi(c.name == "select-string")
	var out powerData
	paths := o.take(position, "path literalpath").list
	if len(paths) == 0 && position == 0 {
		paths = c.paths(&o)
	}
	if len(paths) == 0 {
		return unknownWith(c.in.taint())
	}
	for _, v := range paths {
		out.add(c.p.read(v, c.span))
	}
	return out
}

// listItems gives file objects on; what goes into folders gives everything below them.
func (c *powerCall) listItems() powerData {
	o := c.params()
	if len(o.operands) > 0 && drive(o.operands[0].single("")) == "env" {
		return unknownWith(fromEnviron)
	}
	out := powerData{tree: o.has("recurse")}
	paths := c.paths(&o)
	if len(paths) == 0 {
		paths = []value{{text: c.p.sc.cwd, quality: quality{partial: c.p.sc.cwdUnknown}}}
	}
	for _, v := range paths {
		filter, filtered := o.value("filter include")
		if filtered {
			v = concat(v, value{text: "/" + filter.single("").text, quality: quality{glob: true}})
		} else if c.name == "get-childitem" && !v.glob {
			v = concat(v, value{text: "/*", quality: quality{glob: true}})
		}
		out.files = append(out.files, v)
	}
	return out
}

func (c *powerCall) joinPath() powerData {
	o := c.params()
	v := concat(o.take(0, "path").single(" "), value{text: "/"})
	for _, arg := range o.operands[min(1, len(o.operands)):] {
		v = concat(v, arg.single("/"))
	}
	if arg, ok := o.value("childpath"); ok {
		v = concat(v, arg.single("/"))
	}
	return powerData{list: []value{capped(v)}}
}

// setItem changes what a registry key, a file's attributes or a variable holds.
func (c *powerCall) setItem() powerData {
	o := c.params()
	if o.has("whatif") {
		return powerData{}
	}
	for _, v := range c.paths(&o) {
		c.p.write(v, c.span, o.take(1, "value").powerData)
	}
	return powerData{}
}
