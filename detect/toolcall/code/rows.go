package code

// rows.go handles libraries that build a statement for a database from methods, such as from("users").delete(). Without
// a filter, such a statement concerns all rows.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// rowsMethods lists methods that return all rows of a table, or all files of a bucket. wideFilters lists filters that
// usually let everything pass, because a library wants some filter, and methods that are not filters.
const (
	rowsMethods = "from from_ table getRepository get_repository createQueryBuilder bucket query"
	wideFilters = "neq gt gte not is is_ order_by orderBy execute then catch throwOnError returning select schema"
)

// isEntity reports whether a value names a table or a bucket: a text in one word, or a class.
func (v value) isEntity() bool {
	class := words.AfterLast(v.name, ".")
	return v.known && !v.list && !v.number && !strings.ContainsAny(v.text, " /:.\n") && v.text != "" ||
		class != "" && class[0] >= 'A' && class[0] <= 'Z'
}

// rowsMethod evaluates a method of all rows of a table, or of a deletion of them.
func (in *interpreter) rowsMethod(self value, name string, args value) value {
	filters := in.isFilter(args)
	switch {
	case name == words.Among(name, wideFilters), self.kind == deletionObject && name == "from":
		return self
	case self.kind == deletionObject:
		if filters {
			return &data{}
		}
		return self
	case name == words.Among(name, "delete del"):
		if filters || in.sparesData(self, name, args) {
			return &data{}
		}
		return &data{kind: deletionObject, text: "$deletion"}
	case name == words.Among(name, "drop clear truncate") ||
		words.MeaningOf(name) == words.Destroys && (!filters || in.destroysHeld(self, name, args)):
		if !in.sparesData(self, name, args) {
			in.trace.Mark(in.command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
		}
		return &data{}
	case filters:
		return &data{}
	}
	return self
}

// isFilter reports whether the arguments of a method limit what it deletes. Options do not.
func (in *interpreter) isFilter(args value) bool {
	for _, options := range args.optionSets() {
		for _, p := range options.pairs {
			if p.key != words.Among(p.key, "count returning force synchronize_session") {
				return true
			}
		}
		if !options.list {
			return true
		}
	}
	return false
}

// noteOverwrite marks a call that replaces a table, or all tables, in a database that is not for tests: by an option,
// as in to_sql(if_exists="replace") and sync({force: true}).
func (in *interpreter) noteOverwrite(name string, args value) {
	method := words.AfterLast(name, ".")
	replaced, _ := args.entry("if_exists")
	overwrites := false
	switch method {
	case "to_sql", "dbWriteTable":
		// Replacing a table in a local file is everyday work with data.
		var c connection
		if address := argument(args, 1); strings.Contains(address.text, "://") {
			in.readConnection(&c, "url", address, 0)
		}
		overwrites = (replaced.text == "replace" || args.isOn("overwrite")) && (c.foreign || in.connected.foreign > 0)
	case "sync":
		overwrites = args.isOn("force")
	case "synchronize":
		overwrites = len(args.items) == 1
	case "DataSource", "createConnection":
		overwrites = args.isOn("dropSchema")
	}
	if overwrites && !in.connected.usesTests() {
		in.trace.Mark(in.command, "calls "+method+trace.DeletesRecords, effect.DestructiveOp)
	}
}
