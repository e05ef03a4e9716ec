package code

// builder.go evaluates methods of compiled languages, such as those of objects that build a command.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/words"
)

// builderMethod evaluates a method of an object that builds a command, such as Command in Rust. If it does not know the
// method, it returns the object. It always returns true.
func (s *system) builderMethod(self value, name string, args value) (value, bool) {
	switch name {
	case words.Among(name, "arg args arg0 env envs"):
		if strings.HasPrefix(name, "env") {
			return self, true
		}
		out := self.clone()
		for _, v := range args.items {
			out.items = append(out.items[:len(out.items):len(out.items)], v.asList()...)
		}
		return out, true
	case "current_dir":
		out := self.clone()
		out.addEntry("cwd", argument(args, 0))
		return out, true
	case words.Among(name, "status output spawn exec run"):
		return s.performRun(library.Action{Kind: library.StartCommand}, &data{list: true, items: self.items, pairs: self.pairs}), true
	}
	return self, true
}

// compiledMethod evaluates a method by its name, because the type of the object is unknown. It reports whether it knows
// the method.
func (in *interpreter) compiledMethod(self value, name string, args value) (value, bool) {
	if command := argument(args, 0); command.known && len(args.items) == 1 && strings.Contains(in.source, "crypto/ssh") &&
		name == words.Among(name, "Run Start Output CombinedOutput") {
		return in.runRemote("", command), true
	}
	switch name {
	case "exec":
		return in.perform(library.Action{Kind: library.RunCommand}, args), true
	case words.Among(name, "to_string to_owned into unwrap unwrap_or_default expect as_str as_ref clone iter "+
		"into_iter toFile toPath toString getBytes as_bytes to_path_buf c_str Bytes String collect filter_map"):
		return self, true
	case words.Among(name, "removeItem deleteTree deleteFile remove_dir_all remove_file deleteTreeAbsolute "+
		"deleteFileAbsolute"):
		return in.perform(library.Action{Kind: library.RemoveTree}, args), true
	case "delete", "deleteRecursively", "deleteOnExit":
		if self.known && !self.list {
			in.removePaths(self, name == "deleteRecursively")
		}
		return &data{}, true
	}
	return &data{}, false
}
