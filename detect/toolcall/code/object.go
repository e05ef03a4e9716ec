package code

// object.go evaluates methods of known objects: open files, connections, processes and paths.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// objectMethod evaluates a method of a path, an open file, a connection or a process. It reports whether it knows the
// method.
func (s *system) objectMethod(self value, name string, args value) (value, bool) {
	switch self.kind {
	case pathObject:
		return s.pathMethod(self, name, args), true
	case fileObject:
		if isWriteMethod(name) {
			s.fileWrite(self, args)
			return &data{}, true
		}
		if name == "each" || name == "readline" || name == "gets" || name == "readAll" {
			return fileContent(self), true
		}
	case socketObject:
		return s.socketMethod(self, name, args)
	case processObject:
		return s.processMethod(self, name, args)
	case builderObject:
		return s.builderMethod(self, name, args)
	}
	if isWriteMethod(name) {
		return s.streamWrite(self, args)
	}
	return &data{}, false
}

func isWriteMethod(name string) bool {
	return name == words.Among(name, "write puts print writelines end communicate printf syswrite say writeln sendline")
}

// streamWrite evaluates a method such as sys.stdout.write. It returns false if the object is not standard output.
func (s *system) streamWrite(self, args value) (value, bool) {
	if self.name == words.Among(self.name, "sys.stdout process.stdout STDOUT $stdout io.stdout System.out "+
		"sys.stdout.buffer") {
		s.printArguments(false, args)
		return &data{}, true
	}
	return &data{}, false
}

// after returns the content that a file has after the code has written one more piece to it.
func (s *system) after(p *trace.Place, piece value) value {
	if f, ok := s.trace.Content[p.Name]; ok {
		return join(&data{text: f.Text, known: f.Known, taint: f.Taint}, piece)
	}
	return piece
}

// fileWrite remembers the content that the program writes to an open file.
func (s *system) fileWrite(file, args value) {
	first := argument(args, 0)
	if file.known {
		p := s.trace.Place(file.toTrace(), s.command.Scope)
		all := s.after(&p, first)
		s.trace.Remember(p.Name, trace.Flow{Text: all.text, Known: all.known, Taint: all.itemTaint()})
	}
}

// socketMethod evaluates a method of a connection. It reports whether it knows the method.
func (s *system) socketMethod(self value, name string, args value) (value, bool) {
	switch name {
	case words.Among(name, "send sendall write puts sendto print"):
		if args.itemTaint().Has(trace.FromSecret | trace.FromEnviron) {
			s.sendData(&data{}, args)
		}
		return &data{}, true
	case "connect", "connect_ex":
		s.noteLocalSocket(args)
		s.connect()
		return self, true
	case "pipe":
		if argument(args, 0).kind == processObject {
			s.trace.Mark(s.command, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "recv gets read readline receive get"):
		return &data{taint: trace.FromSocket, text: "$received"}, true
	}
	return &data{}, false
}

// processMethod evaluates a method of a running program. It reports whether it knows the method.
func (s *system) processMethod(self value, name string, args value) (value, bool) {
	switch name {
	case "stdin", "stdout", "stderr":
		return self, true
	case "pipe":
		if argument(args, 0).kind == socketObject {
			s.trace.Mark(s.command, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "execute run output outputSync spawn on wait poll"):
		return self, true
	}
	if isWriteMethod(name) {
		input := argument(args, 0)
		if v, ok := args.entry("input"); ok {
			input = v
		}
		s.writeToProcess(self, input)
		return &data{taint: self.taint}, true
	}
	return &data{}, false
}

// pathMethod evaluates a method of a path object, such as Path in Python or File in Groovy.
func (s *system) pathMethod(self value, name string, args value) value {
	self = self.clone()
	self.kind = noObject
	first := argument(args, 0)
	switch name {
	case "write_text", "write_bytes":
		s.savePath(self, first)
	case words.Among(name, "writeText writeAsString writeAsStringSync writeBytes appendText"):
		s.savePath(self, first)
	case words.Among(name, "touch mkdir symlink_to hardlink_to createNewFile create createSync"):
		s.writePaths(self)
	case words.Among(name, "unlink rmdir delete deleteSync Delete"):
		s.removePaths(self, isRecursive(args) || s.language == trace.Script)
	case "rmtree", "deleteDir", "deleteRecursively":
		s.removePaths(self, true)
	case "read_text", "read_bytes":
		return s.readPaths(self)
	case "rename", "replace":
		if len(args.items) > 1 {
			return replaceText(self, first, argument(args, 1))
		}
		s.movePaths(self, first)
	case "open":
		return s.openAs(self, first)
	case "chmod":
		s.changeModes(&data{items: []value{self, first}}, 0)
	case "joinpath":
		out := asPath(self)
		for _, item := range args.items {
			out = joinPath(out, item)
		}
		return out
	case "expanduser":
		return asPath(s.expandTilde(self))
	case "home":
		return &data{text: s.trace.Env.Home, known: true, kind: pathObject}
	case "cwd":
		return &data{text: s.command.Scope.Cwd, known: !s.command.Scope.CwdUnknown, kind: pathObject}
	case "resolve", "absolute", "as_posix":
		return asPath(self)
	case "parent":
		if i := strings.LastIndexByte(self.text, '/'); self.known && i > 0 {
			self.text = self.text[:i]
			return asPath(self)
		}
		return &data{text: "$parent", kind: pathObject}
	case "glob", "rglob", "iterdir", "walk":
		if name == "walk" {
			return walk(asPath(self))
		}
		pattern := first
		if pattern.isEmpty() {
			pattern = textValue("*")
		}
		if name == "rglob" && pattern.text != "*" {
			pattern = join(textValue("**/"), pattern)
		}
		found := asPath(joinPath(self, pattern))
		found.dotted = name == "rglob"
		return walkedList(found)
	case words.Among(name, "exists is_file is_dir stat suffix stem"):
		return &data{}
	case "name":
		if i := strings.LastIndexByte(self.text, '/'); self.known || self.walked {
			self.text = self.text[i+1:]
			return self
		}
		return &data{}
	}
	return &data{taint: self.taint}
}

func asPath(v value) value {
	v = v.clone()
	v.kind = pathObject
	return v
}
