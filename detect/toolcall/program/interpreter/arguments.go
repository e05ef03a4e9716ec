package interpreter

// This file finds the arguments of code on the command line, such as x in "python3 -c CODE x".

import "guardrails/detect/toolcall/trace"

// argumentsOf returns the list of arguments that the code can read, such as sys.argv in Python. In some languages, the
// first item of the list stands for the program itself. The parameter "input" is set if the first operand is the
// hyphen that stands for the input.
func argumentsOf(lang trace.Language, operands []trace.Value, input bool) []trace.Value {
	named := lang == trace.Python || lang == trace.PHP
	switch {
	case len(operands) == 0:
		return nil
	case lang == trace.Script || named && !input:
		return append([]trace.Value{{Text: "-c"}}, operands...)
	case input && !named:
		return operands[1:]
	}
	return operands
}
