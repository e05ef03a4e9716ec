package system

import "guardrails/detect/toolcall/program"

var table = program.Table{Text: serviceOrders, Code: codeOf} //nolint:gochecknoglobals // a constant table

// Table returns the table with the subcommands of the programs in this package.
func Table() *program.Table { return &table }

// codeOf returns the function whose name follows the word "code" in a row of the table.
func codeOf(name string) program.Code {
	switch name {
	case "stop":
		return stopOrder
	case "stop-named":
		return stopNamed
	case "environment":
		return environment
	}
	return nil
}
