package value

// function.go contains the types for the functions that the code defines.

import "guardrails/detect/toolcall/code/lexer"

// Function is a function, method, lambda or block that the code defines.
type Function struct {
	Name   string // empty if the function has no name
	Params []Parameter
	// Tokens holds the tokens of the source text. Match holds the index of the closing bracket for each opening
	// bracket. The body of the function is Tokens[From:To].
	Tokens   []lexer.Token
	Match    []int
	From, To int
	// Method is set if the first parameter is the object itself, such as "self" in Python.
	Method bool
	// The field "Single" is set if the body is one expression.
	Single bool
	Called bool
	Active bool
}

// Parameter is a parameter of a Function.
type Parameter struct {
	Name string
	// DefaultAt is the index of the parameter's default value, or 0 if there is no default value.
	DefaultAt int
	// The field "Rest" is set if the parameter takes all the remaining arguments.
	Rest bool
	// Members holds the names in a JavaScript parameter such as { a, b } or [a, b].
	Members []lexer.Token
	// Columns is set if the names in Members are in square brackets.
	Columns bool
}
