package code

// rows.go handles libraries in which a chain of methods builds a statement for a database, as in
// from("users").delete(). If there is no filter in the chain, the statement affects all rows.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// rowsMethods lists methods that return all rows of a table, or all files of a bucket. wideFilters lists methods that
// do not limit the rows. Most of these methods are not filters. The list also has filters such as neq. If a library
// requires a filter, programs use such a filter to match every row.
const (
	rowsMethods = "from from_ table getRepository get_repository createQueryBuilder bucket query"
	wideFilters = "neq gt gte not is is_ order_by orderBy execute then catch throwOnError returning select schema"
)

// isEntity reports whether a value names a table or a bucket. Such a value is a text of one word, or a class.
func isEntity(v value.Value) bool {
	class := words.AfterLast(v.Name, ".")
	return v.Known && !v.List && !v.Number && !strings.ContainsAny(v.Text, " /:.\n") && v.Text != "" ||
		class != "" && class[0] >= 'A' && class[0] <= 'Z'
}

// rowsMethod evaluates a method of an object that stands for all rows of a table, or for a deletion of all rows.
func (in *interpreter) rowsMethod(self value.Value, name string, args value.Value) value.Value {
	filters := in.isFilter(args)
	switch {
	case name == words.Among(name, wideFilters), self.Kind == value.DeletionObject && name == "from":
		return self
	case self.Kind == value.DeletionObject:
		if filters {
			return &value.Data{}
		}
		return self
	case name == "update" && len(args.Items) == 1 && len(args.Items[0].Pairs) > 0 && !in.sparesData(self, name, args):
		return &value.Data{Kind: value.DeletionObject, Text: "$change"}
	case name == words.Among(name, "delete del"):
		if filters || in.sparesData(self, name, args) {
			return &value.Data{}
		}
		return &value.Data{Kind: value.DeletionObject, Text: "$deletion"}
	case name == words.Among(name, "drop clear truncate") ||
		words.MeaningOf(name) == words.Destroys && (!filters || in.destroysHeld(self, name, args)):
		if !in.sparesData(self, name, args) {
			in.Trace.Mark(in.Command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
		}
		return &value.Data{}
	case filters:
		return &value.Data{}
	}
	return self
}

// isFilter reports whether the arguments of a method limit what the method deletes. Options such as count set no limit.
func (in *interpreter) isFilter(args value.Value) bool {
	for _, options := range args.OptionSets() {
		for _, p := range options.Pairs {
			if p.Key != words.Among(p.Key, "count returning force synchronize_session") {
				return true
			}
		}
		if !options.List {
			return true
		}
	}
	return false
}

// noteOverwrite marks a call that replaces one table or all tables because of an argument. Examples are
// to_sql(if_exists="replace") and sync({force: true}). It ignores databases for tests.
func (in *interpreter) noteOverwrite(name string, args value.Value) {
	method := words.AfterLast(name, ".")
	replaced, _ := args.Entry("if_exists")
	overwrites := false
	switch method {
	case "to_sql", "dbWriteTable":
		// Programs often replace a table in a local file. So only a replacement in a foreign database counts.
		var c connection
		if address := value.Argument(args, 1); strings.Contains(address.Text, "://") {
			in.readConnection(&c, "url", address, 0)
		}
		overwrites = (replaced.Text == "replace" || args.IsOn("overwrite")) && (c.foreign || in.connected.foreign > 0)
	case "sync":
		overwrites = args.IsOn("force")
	case "synchronize":
		overwrites = len(args.Items) == 1
	case "DataSource", "createConnection":
		overwrites = args.IsOn("dropSchema")
	}
	if overwrites && !in.connected.usesTests() {
		in.Trace.Mark(in.Command, "calls "+method+trace.DeletesRecords, effect.DestructiveOp)
	}
}
