package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// method follows a method's call on a value.
func (w *interpreter) method(self known, name string, args known) known {
	if d, ok := w.objectMethod(self, name, args); ok {
		return d
	}
	first := argument(args, 0)
	switch name {
	case words.Among(name, "decode encode strip trim rstrip chomp toString to_s text content body string freeze dup String "+
		"result value read readText stdout strip! resolve absolute b Trim trimEnd absolutePath expand_path "+
		"flat to_a readlines readlines! getvalue"):
		return w.kept(self, name, args)
	case "join":
		return w.joinMethod(self, first)
	case "split":
		if len(args.items) == 0 {
			return splitList(self, " ")
		}
		return splitList(self, first.text)
	case "format":
		return formatBraces(self, args)
	case "replace", "gsub", "sub", "replaceAll":
		return replacedText(self, first, argument(args, 1))
	case "concat":
		return join(self, first)
	case "reverse":
		return reversed(self)
	case "chr":
		return spelled(self)
	case "map":
		return w.mapped(self, first)
	case "pack", "unpack", "unpack1":
		return packed(self, name, first)
	case "first", "last", "pop", "shift":
		if self.list {
			return argument(self, 0)
		}
	case words.Among(name, "then forEach each map! each_line tap catch finally"):
		if first.name == "eval" || first.name == "Function" {
			return w.evalText(self)
		}
		return known{taint: self.tainted() | args.tainted()}
	case words.Among(name, "execute executescript executemany exec_driver_sql query raw execute_sql"):
		if w.language == trace.Groovy && name == "execute" {
			return w.started(self, w.runText(self))
		}
		if first.known && strings.Contains(first.text, " ") {
			database.SQL(w.trace, w.c, first.text)
		}
	case "constructor":
		if len(args.items) > 0 {
			return w.evalText(first)
		}
		return known{name: "Function"}
	}
	return w.actionMethod(self, name, args)
}

// kept is a method that hands on the text it is called on.
func (w *interpreter) kept(self known, name string, args known) known {
	switch {
	case self.class == fileOf:
		return contentOf(w, self)
	case strings.HasPrefix(self.name, "sys.stdin"), self.name == "process.stdin", self.name == "STDIN", self.name == "$stdin":
		return w.stdin()
	case self.class == process && len(args.items) > 0:
		return self
	}
	if name == "toString" || name == "decode" || name == "encode" {
		if how := argument(args, 0); how.known && self.known {
			return decodedBy(how.text, self)
		}
	}
	return self
}

// decodedBy is a text decoded by a named encoding.
func decodedBy(how string, d known) known {
	switch strings.ReplaceAll(how, "_", "-") {
	case "base64", "base-64":
		return decodeDatum(base64Text, d)
	case "hex":
		return decodeDatum(hexText, d)
	case "rot13", "rot-13":
		return decodeDatum(rotate, d)
	}
	return d
}

// joinMethod is Python's ", ".join(list) and everybody else's list.join(", ").
func (w *interpreter) joinMethod(self, first known) known {
	if w.language == trace.Python {
		if self.name != "" && !self.known {
			return joinPath(self, first)
		}
		return joinedList(first, self.text)
	}
	return joinedList(self, first.text)
}

// formatBraces fills the {} of Python's "…".format(…).
func formatBraces(self, args known) known {
	out := self
	for i := 0; i < len(args.items) && strings.Contains(out.text, "{}"); i++ {
		v := args.items[i].value()
		out.text = strings.Replace(out.text, "{}", v.Text, 1)
		out.known = out.known && !v.Partial
		out.taint |= v.Taint
		if len(out.text) > maxJoined {
			return known{taint: out.taint}
		}
	}
	if strings.Contains(out.text, "{") {
		out.known = false
		out.taint |= args.tainted()
	}
	return out
}

func replacedText(self, from, to known) known {
	if !self.known || !from.known || !to.known || len(self.text)*(len(to.text)+1) > 8*maxJoined || from.text == "" {
		return known{taint: self.taint | to.taint}
	}
	self.text = strings.ReplaceAll(self.text, from.text, to.text)
	return self
}

// mapped is a list after a function: numbers to letters is the one that is followed.
func (w *interpreter) mapped(self, f known) known {
	out := known{list: true, taint: self.taint}
	if f.name != "chr" && f.text != "chr" && !strings.HasSuffix(f.name, "fromCharCode") {
		return known{taint: self.tainted()}
	}
	for _, item := range self.items {
		out.items = append(out.items, spelled(item))
	}
	return out
}

// packed is Ruby's ["…"].pack("H*") and "…".unpack1("m").
func packed(self known, name string, how known) known {
	from := self
	if self.list {
		from = argument(self, 0)
	}
	upper := strings.ToUpper(how.text)
	switch {
	case upper == "H*" && name == "pack":
		return decodeDatum(hexText, from)
	case strings.HasPrefix(upper, "M") && name == "unpack":
		d := decodeDatum(base64Text, from)
		return known{list: true, items: []known{d}, taint: d.taint}
	case strings.HasPrefix(upper, "M") && name != "pack":
		return decodeDatum(base64Text, from)
	case strings.HasPrefix(upper, "C") || strings.HasPrefix(upper, "U"):
		return spelled(self)
	}
	return known{taint: from.taint}
}

// actionMethod is a method of which the name says what it does, on an object that is not known.
func (w *interpreter) actionMethod(self known, name string, args known) known {
	t := self.tainted() | args.tainted()
	switch name {
	case "connect", "createConnection", "connect_ex", "create_connection":
		if self.class == socket || len(args.items) > 0 && (w.language == trace.Python || w.language == trace.Script || w.language == trace.Lua) {
			if looksLikeSocket(w, self) {
				meetsAt(w, args)
				w.connect()
			}
		}
	case "recv", "gets", "recvfrom":
		if w.seen.connected {
			return known{taint: trace.FromSocket, text: "$received"}
		}
	case words.Among(name, "sendmail send_message storbinary post put upload upload_file upload_fileobj put_object request send "+
		"publish"):
		if t := deepTaint(args, 0); t.IsPrivate() {
			return sendData(w, urlOf(args), args)
		}
	case "fdopen", "dup2", "reopen":
		if w.seen.connected {
			w.trace.Mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
	case "accept", "bind", "listen":
		w.seen.waits = true
		meetsAt(w, args)
		if name == "accept" {
			w.connect()
		}
		return known{class: socket, taint: trace.FromSocket, text: "$socket"}
	case words.Among(name, "unlink rmdir write_text write_bytes rmtree touch"):
		if w.language == trace.Python {
			return w.pathMethod(self, name, args)
		}
	case words.Among(name, "spawn exec execSync spawnSync system"):
		child := strings.Contains(strings.ToLower(self.name), "child")
		if w.language == trace.Script && child || name == "system" || name == "execSync" {
			return w.doRun(action{kind: runCommand}, args)
		}
	}
	return known{taint: t}
}

// looksLikeSocket reports whether what connects is a raw connection and not, say, a database.
func looksLikeSocket(w *interpreter, self known) bool {
	return self.class == socket || strings.Contains(strings.ToLower(self.name), "sock") || self.name == "s" || self.name == "net" || self.taint.Has(trace.FromSocket)
}

// objectMethod follows the methods of the objects that are known: paths, open files, connections and processes.
func (w *interpreter) objectMethod(self known, name string, args known) (known, bool) {
	switch self.class {
	case pathOf:
		return w.pathMethod(self, name, args), true
	case fileOf:
		if isWriting(name) {
			w.fileWrite(self, args)
			return known{}, true
		}
		if name == "each" || name == "readline" || name == "gets" || name == "readAll" {
			return contentOf(w, self), true
		}
	case socket:
		return w.socketMethod(self, name, args)
	case process:
		return w.processMethod(self, name, args)
	}
	if isWriting(name) {
		return w.streamWrite(self, args)
	}
	return known{}, false
}

func isWriting(name string) bool {
	return name == words.Among(name, "write puts print writelines end communicate printf syswrite say writeln")
}

// streamWrite is sys.stdout.write and its kind.
func (w *interpreter) streamWrite(self, args known) (known, bool) {
	if self.name == words.Among(self.name, "sys.stdout process.stdout STDOUT $stdout io.stdout System.out sys.stdout.buffer") {
		w.print(false, args)
		return known{}, true
	}
	return known{}, false
}

// fileWrite remembers what a file that was opened will hold.
func (w *interpreter) fileWrite(file, args known) {
	first := argument(args, 0)
	if file.known {
		p := w.trace.Place(file.value(), w.c.Scope)
		w.trace.Remember(p.Name, trace.Flow{Text: first.text, Known: first.known, Taint: first.tainted()})
	}
}

func (w *interpreter) socketMethod(self known, name string, args known) (known, bool) {
	switch name {
	case words.Among(name, "send sendall write puts sendto print"):
		if args.tainted().Has(trace.FromSecret | trace.FromEnviron) {
			sendData(w, known{}, args)
		}
		return known{}, true
	case "connect", "connect_ex":
		meetsAt(w, args)
		w.connect()
		return self, true
	case "pipe":
		if argument(args, 0).class == process {
			w.trace.Mark(w.c, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "recv gets read readline receive get"):
		return known{taint: trace.FromSocket, text: "$received"}, true
	}
	return known{}, false
}

func (w *interpreter) processMethod(self known, name string, args known) (known, bool) {
	switch name {
	case "stdin", "stdout", "stderr":
		return self, true
	case "pipe":
		if argument(args, 0).class == socket {
			w.trace.Mark(w.c, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "execute run output outputSync spawn on wait poll"):
		return self, true
	}
	if isWriting(name) {
		said := argument(args, 0)
		if v, ok := args.named("input"); ok {
			said = v
		}
		w.toShell(self, said)
		return known{taint: self.taint}, true
	}
	return known{}, false
}

// pathMethod follows the methods of Python's Path.
func (w *interpreter) pathMethod(self known, name string, args known) known {
	self.class = plain
	first := argument(args, 0)
	switch name {
	case "write_text", "write_bytes":
		savePath(w, self, first)
	case "touch", "mkdir", "symlink_to", "hardlink_to":
		writePaths(w, self)
	case "unlink", "rmdir", "delete":
		removePaths(w, self, false)
	case "rmtree", "deleteDir":
		removePaths(w, self, true)
	case "read_text", "read_bytes":
		return readPaths(w, self)
	case "rename", "replace":
		movePaths(w, self, first)
	case "open":
		return w.openAs(self, first)
	case "chmod":
		changeModes(w, known{items: []known{self, first}}, 0)
	case "joinpath":
		out := withClass(self)
		for _, item := range args.items {
			out = joinPath(out, item)
		}
		return out
	case "expanduser":
		return withClass(w.expand(self))
	case "home":
		return known{text: w.trace.Env.Home, known: true, class: pathOf}
	case "cwd":
		return known{text: w.c.Scope.Cwd, known: !w.c.Scope.CwdUnknown, class: pathOf}
	case "resolve", "absolute", "as_posix":
		return withClass(self)
	case "parent":
		if i := strings.LastIndexByte(self.text, '/'); self.known && i > 0 {
			self.text = self.text[:i]
			return withClass(self)
		}
		return known{text: "$parent", class: pathOf}
	case "glob", "rglob", "iterdir":
		return known{list: true, items: []known{{text: self.value().Text + "/$file", class: pathOf}}}
	case words.Among(name, "exists is_file is_dir stat name suffix stem"):
		return known{}
	}
	return known{taint: self.taint}
}

func withClass(d known) known {
	d.class = pathOf
	return d
}
