package code

// handle.go evaluates the function open() of Perl and Ruby, and the file handles of Perl.

import (
	"strings"

	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// openFileOrPipe evaluates the function open() of Perl or Ruby. In Perl, the call has a form such as open(F, ">x"),
// open(F, "|cmd") or open(F, ">", "x"). In Ruby, it has a form such as open("|cmd").
func (in *interpreter) openFileOrPipe(args value.Value) value.Value {
	items := args.Items
	handle := ""
	if in.Language == trace.Perl && len(items) > 0 {
		handle = strings.TrimPrefix(items[0].ToTrace().Text, "$")
		items = items[1:]
	}
	if len(items) == 0 {
		return &value.Data{}
	}
	v := in.OpenBySpec(items)
	if handle != "" {
		in.vars[handle] = v
	}
	return v
}

// readHandle returns what Perl reads from the handle with this name.
func (in *interpreter) readHandle(name string) value.Value {
	if v, ok := in.vars[name]; ok {
		return system.FileContent(v)
	}
	return &value.Data{Taint: in.ImplicitTaint()}
}
