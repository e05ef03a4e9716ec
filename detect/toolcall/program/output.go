package program

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// Outputs adds the files that a program writes. These are the files in the values of its output flags. If the program
// has no handler and is a formatter, these are also the files that it rewrites. If it has a handler ("handled"), only
// long flags count, and only if their value is surely a path. Programs that pass their arguments to another machine or
// to a container are left out.
func Outputs(t *trace.Trace, c *trace.Command, handled bool) {
	if e := &t.Effects[min(c.Run, len(t.Effects)-1)]; handled && (e.Inert || e.Data ||
		words.OneOf(c.Name, "docker podman nerdctl docker-compose kubectl oc ssh")) {
		return
	}
	args := c.Args()
	for i, v := range args {
		if handled && !strings.HasPrefix(v.Text, "--") {
			continue
		}
		name, attached, has := strings.Cut(v.Text, "=")
		surely := isOutputFlag(name)
		if !surely && (handled && !has || !mayBeOutputFlag(name)) {
			continue
		}
		if has {
			v.Text = attached
		} else if i+1 < len(args) {
			v = args[i+1]
		} else {
			break
		}
		isName := v.Text != "" && !strings.HasPrefix(v.Text, "-") && !namesFormat(v.Text)
		if handled {
			isName = !v.Partial && !strings.ContainsAny(v.Text, ",=:@%{}()[]$*?'\" ")
		}
		if isName && (surely && !handled || strings.ContainsAny(v.Text, "./") && !strings.Contains(v.Text, "://")) {
			Output(t, c, v)
		}
	}
	if operands, ok := rewritten(c); ok && !handled {
		Rewrites(t, c, operands)
	}
}

// isOutputFlag reports whether the value of a flag is an output file in nearly every program that accepts the flag.
func isOutputFlag(flag string) bool {
	return flag == words.Among(flag,
		"-o -out --out --output --outfile --output-file --outDir --out-dir --outdir --output-dir --junitxml "+
			"--junit-xml")
}

// mayBeOutputFlag reports whether the value of a flag is an output file in many programs. The value counts as a file
// only if it looks like a path.
func mayBeOutputFlag(flag string) bool {
	if !strings.HasPrefix(flag, "-") {
		return false
	}
	flag = strings.TrimLeft(flag, "-")
	for _, part := range [...]string{
		"out", "save", "dest", "export", "dump", "write-", "report-",
		"log-file", "logfile", "pid",
	} {
		if len(flag) > 1 && strings.HasPrefix(flag, part) {
			return true
		}
	}
	for _, end := range [...]string{"-output", "-out", "-outfile", "_out", "-outdir", "-log-file"} {
		if strings.HasSuffix(flag, end) {
			return true
		}
	}
	return flag == words.Among(flag, "dist-dir target-dir log trace-file in-place-output write report")
}

// namesFormat reports whether the value of -o is a format rather than a file.
func namesFormat(text string) bool {
	if text == words.Among(text,
		"json yaml yml wide name table text csv tsv xml html plain pretty none short long auto jsonl sarif "+
			"stylish") {
		return true
	}
	return strings.HasPrefix(text, "jsonpath=") || strings.ContainsAny(text, " ,")
}

// rewritten() returns the files in the operands of a formatter, and whether the call changes these files in place.
func rewritten(c *trace.Command) ([]trace.Value, bool) {
	o := flags.Parse(c.Args(), formatterValues(c.Name))
	switch c.Name {
	case "prettier":
		return o.Operands, o.Has("w write")
	case "eslint", "stylelint", "rubocop":
		return o.Operands, o.Has("fix a A autocorrect auto-correct")
	case "biome", "ruff", "buf":
		verb := o.Word(0)
		changes := o.Has("w write fix apply") || verb == "format" && c.Name == "ruff" && !o.Has("check diff")
		return o.Operands[min(1, len(o.Operands)):], changes && words.OneOf(verb, "check format lint")
	case "black", "isort", "rustfmt":
		return o.Operands, !o.Has("check diff c check-only version help")
	case words.Among(c.Name, "gofmt goimports gofumpt shfmt gci"):
		return o.Operands, o.Has("w write")
	case "clang-format", "autopep8", "yapf", "mlr":
		return o.Operands, o.Has("i in-place I")
	case "sd", "rpl":
		return o.Operands[min(2, len(o.Operands)):], len(o.Operands) > 2 && !o.Has("p preview s x")
	case "comby":
		return o.Operands[min(2, len(o.Operands)):], o.Has("i in-place")
	case "ast-grep":
		return o.Operands[min(1, len(o.Operands)):], o.Has("U update-all")
	case "xmlstarlet", "xml":
		return o.Operands[max(0, len(o.Operands)-1):], o.Word(0) == "ed" && o.Has("L inplace")
	}
	return nil, false
}

// formatterValues returns the flags of a formatter that take a value.
func formatterValues(name string) string {
	switch name {
	case "prettier":
		return "config parser plugin ignore-path log-level print-width tab-width end-of-line"
	case "eslint", "stylelint", "rubocop":
		return "c config ext rule parser plugin f format ignore-path max-warnings o output-file"
	case words.Among(name, "ruff black isort rustfmt biome"):
		return "l line-length config select ignore extend-select target-version t exclude settings-path " +
			"profile edition config-path"
	case "gofmt", "goimports", "gofumpt", "shfmt":
		return "r local srcdir i ln cpuprofile"
	case "autopep8", "yapf":
		return flags.Abbreviates + "style"
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

// Rewrites is for a call that changes files in place. It adds the effect of these changes. If an operand is a folder,
// everything below this folder changes. If there are no operands, everything in the working folder changes.
func Rewrites(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if len(operands) == 0 {
		operands = []trace.Value{{Text: "."}}
	}
	for _, v := range operands {
		v.Text = strings.TrimSuffix(v.Text, "/...")
		if v.Text == "" || v.Text == "-" {
			continue
		}
		if strings.Contains(v.Text, product.ClientFolder+"/") {
			v.Glob = v.Glob || strings.ContainsAny(v.Text, "*?[{") // the formatter matches the pattern itself
		}
		before := len(t.Effects)
		t.Write(v, c.Scope, c.Span)
		if len(t.Effects) > before {
			e := &t.Effects[before]
			e.Tree = !trace.NamesFile(e.Path) && !e.Glob
		}
	}
}

// FilterOutputs adds the files that a filter writes: the file that a flag names, the second operand or, for dos2unix
// and unix2dos, all operands. It returns the operands that the filter reads.
func FilterOutputs(t *trace.Trace, c *trace.Command, o *flags.Options, operands []trace.Value) []trace.Value {
	t.WriteAll(c, o.Values(strings.Join(outputFlags(c.Name), " ")))
	switch c.Name {
	case "uniq", "xxd":
		if len(operands) > 1 {
			t.Write(operands[1], c.Scope, c.Span)
			return operands[:1]
		}
	case "dos2unix", "unix2dos":
		for _, v := range operands {
			t.Write(v, c.Scope, c.Span)
		}
	}
	return operands
}

// outputFlags returns the flags that name a file to which a filter writes.
func outputFlags(name string) []string {
	switch name {
	case words.Among(name, "shuf iconv pv base64 gbase64 pygmentize tree diff sort envsubst"):
		return []string{"o", "output"}
	case "xmllint":
		return []string{"output", "o"}
	}
	return nil
}
