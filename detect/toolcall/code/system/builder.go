package system

// builder.go evaluates methods of objects that build a command.

import (
	"strings"

	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/words"
)

// builderMethod evaluates a method of an object that builds a command, such as Command in Rust. For an unknown method,
// builderMethod returns the object itself. The second result is always true.
func (s *System) builderMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	switch name {
	case words.Among(name, "arg args arg0 env envs"):
		if strings.HasPrefix(name, "env") {
			return self, true
		}
		out := self.Clone()
		for _, v := range args.Items {
			out.Items = append(out.Items[:len(out.Items):len(out.Items)], v.AsList()...)
		}
		return out, true
	case "current_dir":
		out := self.Clone()
		out.AddEntry("cwd", value.Argument(args, 0))
		return out, true
	case words.Among(name, "status output spawn exec run"):
		argv := &value.Data{List: true, Items: self.Items, Pairs: self.Pairs}
		return s.PerformRun(library.Action{Kind: library.StartCommand}, argv), true
	}
	return self, true
}
