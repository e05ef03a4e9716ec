package code

// load.go evaluates functions that load objects from files.

import (
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// loadObjects evaluates a function that loads objects from an open file or from a path. Loaded objects can run code. So
// a person must approve the tool call if the tool call itself has downloaded or written the file.
func (in *interpreter) loadObjects(act library.Action, args value.Value) {
	if loadsValues(act.Kind, args) {
		return
	}
	file := value.Argument(args, 0)
	v := file.ToTrace()
	v.Taint = system.FileContent(file).ItemTaint()
	if trace.IsURL(file.Text) {
		v.Taint |= trace.FromNetwork
	}
	RunObjects(in.Trace, in.Command, v)
}

// loadsValues reports whether a function has arguments that make the function load only objects that cannot run code.
func loadsValues(kind library.Kind, args value.Value) bool {
	name, position := "weights_only", -1
	switch kind {
	case library.LoadObjects:
		return false
	case library.LoadArray:
		name, position = "allow_pickle", 2
	case library.LoadByType:
		name, position = "Loader", 1
	}
	setting, ok := args.Entry(name)
	if !ok {
		setting = value.Argument(args, position)
	}
	switch text := setting.Name + setting.Text; kind {
	case library.LoadTensor:
		return setting.Name == "True"
	case library.LoadArray:
		return text == "" || text == "0" || text == value.Off
	default:
		return words.OneOf(words.AfterLast(text, "."), "SafeLoader CSafeLoader BaseLoader CBaseLoader FullLoader CFullLoader")
	}
}

// RunObjects adds an opaque effect for loading a file with objects. It adds the effect only if the tool call itself has
// downloaded, decoded, or written the content of the file as text. If the content is known, the parameter "file"
// has the taints of the content.
func RunObjects(t *trace.Trace, c *trace.Command, file trace.Value) {
	taint := file.Taint
	if !file.Partial {
		written := t.Content[t.Place(file, c.Scope).Name]
		taint |= written.Taint
		if written.Known && written.Text != "" {
			taint |= trace.FromProgram
		}
	}
	if taint.Has(trace.FromNetwork | trace.FromSocket | trace.Decoded | trace.FromProgram) {
		t.RunUnknown(c, taint, "loads objects from "+file.Text+", which the same command has written")
	}
}
