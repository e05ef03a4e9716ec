package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// objectMethod follows the methods of the objects that are known: paths, open files, connections and processes.
func (w *coder) objectMethod(self datum, name string, args datum) (datum, bool) {
	switch self.class {
	case pathOf:
		return w.pathMethod(self, name, args), true
	case fileOf:
		if isWriting(name) {
			w.fileWrite(self, args)
			return datum{}, true
		}
		if name == "each" || name == "readline" || name == "gets" || name == "readAll" {
			return w.contentOf(self), true
		}
	case socket:
		return w.socketMethod(self, name, args)
	case process:
		return w.processMethod(self, name, args)
	}
	if isWriting(name) {
		return w.streamWrite(self, args)
	}
	return datum{}, false
}

func isWriting(name string) bool {
	return name == among(name, "write puts print writelines end communicate printf syswrite say writeln")
}

// streamWrite is sys.stdout.write and its kind.
func (w *coder) streamWrite(self, args datum) (datum, bool) {
	if self.name == among(self.name, "sys.stdout process.stdout STDOUT $stdout io.stdout System.out sys.stdout.buffer") {
		w.print(false, args)
		return datum{}, true
	}
	return datum{}, false
}

// fileWrite remembers what a file that was opened will hold.
func (w *coder) fileWrite(file, args datum) {
	first := argument(args, 0)
	if file.known {
		p := w.a.place(file.value(), w.c.sc)
		w.a.remember(p.name, flow{text: first.text, known: first.known, taint: first.tainted()})
	}
}

func (w *coder) socketMethod(self datum, name string, args datum) (datum, bool) {
	switch name {
	case among(name, "send sendall write puts sendto print"):
		if args.tainted().has(fromSecret | fromEnviron) {
			w.send(datum{}, args)
		}
		return datum{}, true
	case "connect", "connect_ex":
		w.meetsAt(args)
		w.connect()
		return self, true
	case "pipe":
		if argument(args, 0).class == process {
			w.a.mark(w.c, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case among(name, "recv gets read readline receive get"):
		return datum{taint: fromSocket, text: "$received"}, true
	}
	return datum{}, false
}

func (w *coder) processMethod(self datum, name string, args datum) (datum, bool) {
	switch name {
	case "stdin", "stdout", "stderr":
		return self, true
	case "pipe":
		if argument(args, 0).class == socket {
			w.a.mark(w.c, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case among(name, "execute run output outputSync spawn on wait poll"):
		return self, true
	}
	if isWriting(name) {
		said := argument(args, 0)
		if v, ok := args.named("input"); ok {
			said = v
		}
		w.toShell(self, said)
		return datum{taint: self.taint}, true
	}
	return datum{}, false
}

// pathMethod follows the methods of Python's Path.
func (w *coder) pathMethod(self datum, name string, args datum) datum {
	self.class = plain
	first := argument(args, 0)
	switch name {
	case "write_text", "write_bytes":
		w.save(self, first)
	case "touch", "mkdir", "symlink_to", "hardlink_to":
		w.writeAll(self)
	case "unlink", "rmdir", "delete":
		w.removeAll(self, false)
	case "rmtree", "deleteDir":
		w.removeAll(self, true)
	case "read_text", "read_bytes":
		return w.readAll(self)
	case "rename", "replace":
		w.move(self, first)
	case "open":
		return w.openAs(self, first)
	case "chmod":
		w.changeMode(datum{items: []datum{self, first}}, 0)
	case "joinpath":
		out := withClass(self)
		for _, item := range args.items {
			out = joinPath(out, item)
		}
		return out
	case "expanduser":
		return withClass(w.expand(self))
	case "home":
		return datum{text: w.a.env.Home, known: true, class: pathOf}
	case "cwd":
		return datum{text: w.c.sc.cwd, known: !w.c.sc.cwdUnknown, class: pathOf}
	case "resolve", "absolute", "as_posix":
		return withClass(self)
	case "parent":
		if i := strings.LastIndexByte(self.text, '/'); self.known && i > 0 {
			self.text = self.text[:i]
			return withClass(self)
		}
		return datum{text: "$parent", class: pathOf}
	case "glob", "rglob", "iterdir":
		return datum{list: true, items: []datum{{text: self.value().text + "/$file", class: pathOf}}}
	case among(name, "exists is_file is_dir stat name suffix stem"):
		return datum{}
	}
	return datum{taint: self.taint}
}

func withClass(d datum) datum {
	d.class = pathOf
	return d
}
