package toolcall

import "strings"

// outputs notes the files that a program without a handler writes: those its output flags name, and those that a
// formatter rewrites.
func (a *analyzer) outputs(c *command) {
	args := c.args()
	for i, v := range args {
		name, attached, has := strings.Cut(v.text, "=")
		if !isOutputFlag(name) {
			continue
		}
		if has {
			v.text = attached
		} else if i+1 < len(args) {
			v = args[i+1]
		} else {
			break
		}
		if v.text != "" && v.text != "-" && !strings.HasPrefix(v.text, "-") && !namesFormat(v.text) {
			a.write(v, c.sc, c.span)
		}
	}
	if operands, ok := rewritten(c); ok {
		a.rewrites(c, operands)
	}
}

// isOutputFlag reports whether a flag names a file to write in nearly every program that has it.
func isOutputFlag(flag string) bool {
	return flag == among(flag, "-o -out --out --output --outfile --output-file --outDir --out-dir --outdir --output-dir --junitxml "+
		"--junit-xml")
}

// namesFormat reports whether the value of -o is a way to print and not a file.
func namesFormat(text string) bool {
	if text == among(text, "json yaml yml wide name table text csv tsv xml html plain pretty none short long auto jsonl sarif "+
		"stylish") {
		return true
	}
	return strings.HasPrefix(text, "jsonpath=") || strings.ContainsAny(text, " ,")
}

// rewritten are the files that a formatter changes in place, if the command is one that does so.
func rewritten(c *command) ([]value, bool) {
	o := parseOptions(c.args(), formatterValues(c.name))
	switch c.name {
	case "prettier":
		return o.operands, o.has("w write")
	case "eslint", "stylelint", "rubocop":
		return o.operands, o.has("fix a A autocorrect auto-correct")
	case "biome", "ruff", "buf":
		verb := o.word(0)
		changes := o.has("w write fix apply") || verb == "format" && c.name == "ruff" && !o.has("check diff")
		return o.operands[min(1, len(o.operands)):], changes && oneOf(verb, "check", "format", "lint")
	case "black", "isort", "rustfmt":
		return o.operands, !o.has("check diff c check-only version help")
	case among(c.name, "gofmt goimports gofumpt shfmt gci"):
		return o.operands, o.has("w write")
	case "clang-format", "autopep8", "yapf", "mlr":
		return o.operands, o.has("i in-place I")
	case "sd", "rpl":
		return o.operands[min(2, len(o.operands)):], len(o.operands) > 2 && !o.has("p preview s x")
	case "comby":
		return o.operands[min(2, len(o.operands)):], o.has("i in-place")
	case "ast-grep":
		return o.operands[min(1, len(o.operands)):], o.has("U update-all")
	case "xmlstarlet", "xml":
		return o.operands[max(0, len(o.operands)-1):], o.word(0) == "ed" && o.has("L inplace")
	}
	return nil, false
}

// formatterValues are the flags of formatters that take a value.
func formatterValues(name string) string {
	switch name {
	case "prettier":
		return "config parser plugin ignore-path log-level print-width tab-width end-of-line"
	case "eslint", "stylelint", "rubocop":
		return "c config ext rule parser plugin f format ignore-path max-warnings o output-file"
	case among(name, "ruff black isort rustfmt biome"):
		return "l line-length config select ignore extend-select target-version t exclude settings-path profile edition config-path"
	case "gofmt", "goimports", "gofumpt", "shfmt":
		return "r local srcdir i ln cpuprofile"
	case "clang-format":
		return "style assume-filename"
	case "ast-grep":
		return "p pattern r rewrite l lang"
	case "comby":
		return "d f matcher"
	case "xmlstarlet", "xml":
		return "u v d i t n s N"
	}
	return ""
}

// rewrites notes that files are changed in place: a folder with everything below it, and without names the whole
// project.
func (a *analyzer) rewrites(c *command, operands []value) {
	if len(operands) == 0 {
		operands = []value{{text: "."}}
	}
	for _, v := range operands {
		v.text = strings.TrimSuffix(v.text, "/...")
		if v.text == "" || v.text == "-" {
			continue
		}
		before := len(a.effects)
		a.write(v, c.sc, c.span)
		if len(a.effects) > before {
			e := &a.effects[before]
			e.Tree = !namesFile(e.Path) && !e.Glob
		}
	}
}

// filterOutputs notes what a filter writes beside its output: the file of a flag, or its second operand. It returns
// the operands that are read.
func (a *analyzer) filterOutputs(c *command, o *options, operands []value) []value {
	for _, v := range o.values(strings.Join(outputFlags(c.name), " ")) {
		a.write(v, c.sc, c.span)
	}
	switch c.name {
	case "uniq", "xxd":
		if len(operands) > 1 {
			a.write(operands[1], c.sc, c.span)
			return operands[:1]
		}
	case "dos2unix", "unix2dos":
		for _, v := range operands {
			a.write(v, c.sc, c.span)
		}
	}
	return operands
}

// outputFlags are the flags with which a filter writes a file.
func outputFlags(name string) []string {
	switch name {
	case among(name, "shuf iconv pv base64 gbase64 pygmentize tree diff sort"):
		return []string{"o", "output"}
	case "xmllint":
		return []string{"output", "o"}
	}
	return nil
}
