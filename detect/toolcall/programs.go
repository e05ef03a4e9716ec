package toolcall

import (
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/cloud"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/git"
	"guardrails/detect/toolcall/program/packages"
	"guardrails/detect/toolcall/program/system"
)

func tables() []*program.Table {
	return []*program.Table{cloud.Table(), database.Table(), git.Table(), packages.Table(), system.Table()}
}

// Rows returns the table rows of a program. It returns false if the program is in no table.
func Rows(name string) ([]program.Row, bool) {
	for _, table := range tables() {
		if rows := table.Rows(name); len(rows) > 0 {
			return rows, true
		}
	}
	return nil, false
}
