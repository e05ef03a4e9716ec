package code

// arguments.go passes the arguments of the command line to the code, such as "x" in python3 -c CODE x.

import (
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
)

// nameOfArguments returns the name of the variable that holds the arguments of the program.
func nameOfArguments(lang trace.Language) string {
	switch lang {
	case trace.Python:
		return "sys.argv"
	case trace.Script:
		return "process.argv"
	case trace.Perl:
		return "@ARGV"
	case trace.Ruby:
		return "ARGV"
	case trace.PHP:
		return "$argv"
	case trace.Julia:
		return "ARGS"
	case trace.Groovy:
		return "args"
	}
	return ""
}

// bindArguments sets the variable that holds the arguments. If there are no arguments, the variable stays unknown.
func (in *interpreter) bindArguments(args []trace.Value) {
	if len(args) == 0 {
		return
	}
	list := value.List()
	for _, v := range args[:min(len(args), trace.MaxFields)] {
		list.Items = append(list.Items, &value.Data{Text: v.Text, Known: !v.Partial, Glob: v.Glob, Taint: v.Taint})
	}
	in.vars[nameOfArguments(in.Language)] = list
	in.vars["$ARGV"] = list // $ARGV[0] is an item of @ARGV in Perl
}

// shiftArgument removes and returns the first argument of a Perl function, or of the program. It returns false if the
// arguments are unknown, or if the language is not Perl.
func (in *interpreter) shiftArgument() (value.Value, bool) {
	if in.Language != trace.Perl {
		return &value.Data{}, false
	}
	for _, name := range [...]string{"@_", "@ARGV"} {
		list, ok := in.vars[name]
		if !ok {
			continue
		}
		if len(list.Items) == 0 {
			break
		}
		first := list.Items[0]
		list = list.Clone()
		list.Items = list.Items[1:]
		in.vars[name] = list
		return first, true
	}
	return &value.Data{}, false
}

// inputFiles returns the content of the files whose paths are the arguments of the code. If there are no arguments, it
// returns the input of the code.
func (in *interpreter) inputFiles() value.Value {
	list, ok := in.vars[nameOfArguments(in.Language)]
	if !ok {
		return in.Stdin()
	}
	if in.Language == trace.Python {
		list = value.List(list.Items[1:]...)
	}
	return in.ReadPaths(list)
}
