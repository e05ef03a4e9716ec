package system

import "guardrails/detect/toolcall/program"

// table has the programs of this package that name an order.
var table = program.Table{Text: serviceOrders, Code: codeOf} //nolint:gochecknoglobals // a constant table

// Table returns the orders of the programs of this package.
func Table() *program.Table { return &table }

// codeOf returns the functions that rows name.
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
