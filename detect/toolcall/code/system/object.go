package system

// object.go evaluates methods of known objects: open files, connections, processes and paths.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// ObjectMethod evaluates a method of a path, an open file, a connection or a process. The second result says whether
// ObjectMethod knows the method.
func (s *System) ObjectMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	switch self.Kind {
	case value.PathObject:
		return s.PathMethod(self, name, args), true
	case value.FileObject:
		if isWriteMethod(name) {
			s.FileWrite(self, args)
			return &value.Data{}, true
		}
		if name == "each" || name == "readline" || name == "gets" || name == "readAll" {
			return FileContent(self), true
		}
	case value.SocketObject:
		return s.socketMethod(self, name, args)
	case value.ProcessObject:
		return s.processMethod(self, name, args)
	case value.BuilderObject:
		return s.builderMethod(self, name, args)
	}
	if self.Text == requested && (isWriteMethod(name) || name == "send") && self.Taint.Has(trace.FromNetwork) &&
		args.ItemTaint().Has(trace.FromSecret|trace.FromEnviron) {
		return s.SendData(&value.Data{}, args), true // as in https.request(url).end(text)
	}
	if isWriteMethod(name) {
		return s.streamWrite(self, args)
	}
	return &value.Data{}, false
}

func isWriteMethod(name string) bool {
	return name == words.Among(name, "write puts print writelines end communicate printf syswrite say writeln sendline")
}

// streamWrite evaluates a method such as sys.stdout.write. It returns false if the object is not standard output.
func (s *System) streamWrite(self, args value.Value) (value.Value, bool) {
	if self.Name == words.Among(self.Name, "sys.stdout process.stdout STDOUT $stdout io.stdout System.out "+
		"sys.stdout.buffer") {
		s.PrintArguments(false, args)
		return &value.Data{}, true
	}
	return &value.Data{}, false
}

// after() returns the content that a file has after the code has added a piece of text to the file.
func (s *System) after(p *trace.Place, piece value.Value) value.Value {
	if f, ok := s.Trace.Content[p.Name]; ok {
		return value.Join(&value.Data{Text: f.Text, Known: f.Known, Taint: f.Taint}, piece)
	}
	return piece
}

// FileWrite remembers the content that the program writes to an open file.
func (s *System) FileWrite(file, args value.Value) {
	first := value.Argument(args, 0)
	if file.Known {
		p := s.Trace.Place(file.ToTrace(), s.Command.Scope)
		all := s.after(&p, first)
		s.Trace.RememberPart(p.Name, trace.Flow{Text: all.Text, Known: all.Known, Taint: all.ItemTaint()})
	}
}

// socketMethod evaluates a method of a connection. The second result says whether socketMethod knows the method.
func (s *System) socketMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	switch name {
	case words.Among(name, "send sendall write puts sendto print"):
		if args.ItemTaint().Has(trace.FromSecret | trace.FromEnviron) {
			s.SendData(&value.Data{}, args)
		}
		return &value.Data{}, true
	case "connect", "connect_ex":
		s.NoteLocalSocket(args)
		s.Connect()
		return self, true
	case "pipe":
		if value.Argument(args, 0).Kind == value.ProcessObject {
			s.Trace.Mark(s.Command, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "recv gets read readline receive get"):
		return &value.Data{Taint: trace.FromSocket, Text: "$received"}, true
	}
	return &value.Data{}, false
}

// processMethod evaluates a method of a running program. The second result says whether processMethod knows the method.
func (s *System) processMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	switch name {
	case "stdin", "stdout", "stderr":
		return self, true
	case "pipe":
		if value.Argument(args, 0).Kind == value.SocketObject {
			s.Trace.Mark(s.Command, "connects a program to the network", effect.ReverseShell)
		}
		return self, true
	case words.Among(name, "execute run output outputSync spawn on wait poll"):
		return self, true
	}
	if isWriteMethod(name) {
		input := value.Argument(args, 0)
		if v, ok := args.Entry("input"); ok {
			input = v
		}
		s.WriteToProcess(self, input)
		return &value.Data{Taint: self.Taint}, true
	}
	return &value.Data{}, false
}

// PathMethod evaluates a method of a path object, such as Path in Python or File in Groovy.
func (s *System) PathMethod(self value.Value, name string, args value.Value) value.Value {
	self = self.Clone()
	self.Kind = value.NoObject
	first := value.Argument(args, 0)
	switch name {
	case "write_text", "write_bytes":
		s.SavePath(self, first)
	case words.Among(name, "writeText writeAsString writeAsStringSync writeBytes appendText setText setBytes "+
		"write append withWriter withPrintWriter leftShift"):
		s.SavePath(self, first)
	case words.Among(name, "touch mkdir symlink_to hardlink_to createNewFile create createSync"):
		s.writePaths(self)
	case words.Among(name, "unlink rmdir delete deleteSync Delete"):
		s.RemovePaths(self, isRecursive(args) || s.Language == trace.Script)
	case "rmtree", "deleteDir", "deleteRecursively":
		s.RemovePaths(self, true)
	case "read_text", "read_bytes":
		return s.ReadPaths(self)
	case "copy", "copy_into", "copyTo", "copySync", "copyRecursively":
		s.copyPaths(self, first, "")
	case "rename", "replace", "renameTo", "move", "move_into":
		if len(args.Items) > 1 {
			return value.ReplaceText(self, first, value.Argument(args, 1))
		}
		s.movePaths(self, first)
	case "open":
		return s.openAs(self, first)
	case "chmod":
		s.changeModes(&value.Data{Items: []value.Value{self, first}}, 0)
	case "joinpath":
		out := asPath(self)
		for _, item := range args.Items {
			out = value.JoinPath(out, item)
		}
		return out
	case "expanduser":
		return asPath(s.ExpandTilde(self))
	case "home":
		return &value.Data{Text: s.Trace.Env.Home, Known: true, Kind: value.PathObject}
	case "cwd":
		return &value.Data{Text: s.Command.Scope.Cwd, Known: !s.Command.Scope.CwdUnknown, Kind: value.PathObject}
	case "resolve", "absolute", "as_posix":
		return asPath(self)
	case "parent":
		if i := strings.LastIndexByte(self.Text, '/'); self.Known && i > 0 {
			self.Text = self.Text[:i]
			return asPath(self)
		}
		return &value.Data{Text: "$parent", Kind: value.PathObject}
	case "glob", "rglob", "iterdir", "walk":
		if name == "walk" {
			return Walk(asPath(self))
		}
		pattern := first
		if pattern.IsEmpty() {
			pattern = value.Text("*")
		}
		if name == "rglob" && pattern.Text != "*" {
			pattern = value.Join(value.Text("**/"), pattern)
		}
		found := asPath(value.JoinPath(self, pattern))
		found.Dotted = name == "rglob"
		return WalkedList(found)
	case words.Among(name, "exists is_file is_dir stat suffix stem"):
		return &value.Data{}
	case "name":
		if i := strings.LastIndexByte(self.Text, '/'); self.Known || self.Walked {
			self.Text = self.Text[i+1:]
			return self
		}
		return &value.Data{}
	}
	return &value.Data{Taint: self.Taint}
}

func asPath(v value.Value) value.Value {
	v = v.Clone()
	v.Kind = value.PathObject
	return v
}

// ExpandTilde replaces ~ or $HOME at the beginning of a path.
func (s *System) ExpandTilde(v value.Value) value.Value {
	v = v.Clone()
	if rest, ok := strings.CutPrefix(v.Text, "~"); ok && (rest == "" || rest[0] == '/') {
		v.Text = s.Trace.Env.Home + rest
	}
	if name, ok := strings.CutPrefix(v.Text, "$HOME"); ok {
		v.Text = s.Trace.Env.Home + name
	}
	return v
}
