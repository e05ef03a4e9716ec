package code

// compiled.go evaluates methods of compiled languages.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/words"
)

// compiledMethod evaluates a method by its name, because the type of the object is unknown. The second result says
// whether compiledMethod knows the method.
func (in *interpreter) compiledMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	if command := value.Argument(args, 0); command.Known && len(args.Items) == 1 &&
		strings.Contains(in.source, "crypto/ssh") && name == words.Among(name, "Run Start Output CombinedOutput") {
		return in.runRemote("", command), true
	}
	if words.OneOf(name, "Delete DeleteCollection") && strings.Contains(in.source, `"k8s.io/client-go/kubernetes"`) {
		in.Trace.MarkAll(in.Command, "calls "+name+" of a cluster", effect.DestructiveOp, effect.DevopsInvoked)
		return &value.Data{}, true
	}
	switch name {
	case "TempDir":
		return in.perform(library.Action{Kind: library.TempPath}, args), true
	case "exec":
		return in.perform(library.Action{Kind: library.RunCommand}, args), true
	case words.Among(name, "to_string to_owned into unwrap unwrap_or_default expect as_str as_ref clone iter "+
		"into_iter toFile toPath toString getBytes as_bytes to_path_buf c_str Bytes String collect filter_map"):
		return self, true
	case words.Among(name, "removeItem deleteTree deleteFile remove_dir_all remove_file deleteTreeAbsolute "+
		"deleteFileAbsolute"):
		return in.perform(library.Action{Kind: library.RemoveTree}, args), true
	case "delete", "deleteRecursively", "deleteOnExit":
		if self.Known && !self.List {
			in.RemovePaths(self, name == "deleteRecursively")
		} else if (strings.Contains(in.source, "Files.walk(") || strings.Contains(in.source, ".listFiles(")) &&
			!strings.Contains(in.source, "createTempDir") && !strings.Contains(in.source, "java.io.tmpdir") {
			in.Trace.Mark(in.Command, "deletes the files of a folder", effect.DestructiveOp)
		}
		return &value.Data{}, true
	}
	return &value.Data{}, false
}
