package code

// arguments.go gives code on the command line its arguments, such as "x" in python3 -c CODE x.

import "guardrails/detect/toolcall/trace"

// nameOfArguments returns the variable that holds the arguments.
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

// bindArguments gives the code its arguments. Without arguments, the variable stays unknown.
func (in *interpreter) bindArguments(args []trace.Value) {
	if len(args) == 0 {
		return
	}
	list := &data{list: true}
	for _, v := range args[:min(len(args), trace.MaxFields)] {
		list.items = append(list.items, &data{text: v.Text, known: !v.Partial, glob: v.Glob, taint: v.Taint})
	}
	in.vars[nameOfArguments(in.language)] = list
	in.vars["$ARGV"] = list // $ARGV[0] is an item of @ARGV in Perl
}

// shiftArgument takes the first item of the arguments of a Perl function, or of the program. It returns false if they
// are unknown, or if the language is not Perl.
func (in *interpreter) shiftArgument() (value, bool) {
	if in.language != trace.Perl {
		return &data{}, false
	}
	for _, name := range [...]string{"@_", "@ARGV"} {
		list, ok := in.vars[name]
		if !ok {
			continue
		}
		if len(list.items) == 0 {
			break
		}
		first := list.items[0]
		list = list.clone()
		list.items = list.items[1:]
		in.vars[name] = list
		return first, true
	}
	return &data{}, false
}

// inputFiles returns what the code reads from the files that its arguments name. If there are no arguments, the code
// reads its input.
func (in *interpreter) inputFiles() value {
	list, ok := in.vars[nameOfArguments(in.language)]
	if !ok {
		return in.stdin()
	}
	if in.language == trace.Python {
		list = &data{list: true, items: list.items[1:]}
	}
	return in.readPaths(list)
}
