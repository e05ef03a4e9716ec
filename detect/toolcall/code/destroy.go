package code

// destroy.go recognizes methods of libraries that destroy data. The methods are recognized by their names, such as
// delete_many, dropDatabase and flushall.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The constant "held" lists words for data in databases and for resources in clouds. A method loses data if its
// name has a verb such as "delete" and one of these words, as in delete_bucket.
const held = "all many table tables database databases db schema collection collections bucket buckets " +
	"object objects instance instances cluster clusters stack stacks index indexes indices queue queues topic " +
	"topics volume volumes snapshot snapshots namespace namespaces keyspace dataset datasets stream repository " +
	"repositories document documents blob blobs container containers project zone vpc domain account tenant " +
	"deployment pod customers users records rows disk server servers machine machines environment application " +
	"function distribution backup backups vault secret subscription subscriptions model models repo repos"

// libraryMethod marks a call of a method whose name says that the method destroys data in a database or a cloud. It
// returns false for any other method.
func (in *interpreter) libraryMethod(self value.Value, name string, args value.Value) bool {
	if name == "execute_command" || name == "sendCommand" {
		name = strings.ToLower(value.Argument(args, 0).Text) // the name of a Redis command
	}
	empties := name == "drop" && len(args.Items)+len(args.Pairs) == 0 && in.Language <= trace.PHP
	if in.sparesData(self, name, args) || keepsData(name) || narrows(value.Argument(args, 0)) ||
		!empties && !in.destroysHeld(self, name, args) {
		return false
	}
	in.Trace.Mark(in.Command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
	return true
}

// destroysHeld reports whether a method destroys data in a database or a cloud, judging by the name of the method and
// by its arguments.
func (in *interpreter) destroysHeld(self value.Value, name string, args value.Value) bool {
	first, rest := words.NextWord(name)
	if words.OneOf(name, "clearObjects clear_objects clearIndex clear_index") {
		return true
	}
	if strings.EqualFold(strings.ReplaceAll(name, "_", ""), "deleteByQuery") {
		return matchesAll(args, 0)
	}
	if in.Language == trace.Python && args.IsOn("force recurse recursive") && (name == "delete" || name == "rm") {
		return true // as in bucket.delete(force=True) and filesystem.rm("x", recursive=True)
	}
	if _, all := value.Argument(args, 0).Entry("truncate"); all && name == "destroy" ||
		words.OneOf(name, "recursiveDelete recursive_delete") {
		return true // the object is a model of Sequelize or a collection of Firestore
	}
	if self.Kind == value.QueryObject || standsForData(words.AfterLast(self.Name, ".")) {
		return name == words.Among(name, "delete destroy remove drop truncate deleteAll prune begin_delete terminate clear") &&
			(name != "clear" || in.Language == trace.Ruby) // as in Sidekiq::Queue.all.each(&:clear)
	}
	if first == words.Among(first, "reset remove rm strip") || first != "empty" && words.MeaningOf(name) != words.Destroys {
		return false
	}
	if rest == "" {
		// The method "expunge" without arguments belongs to IMAP and deletes messages. SQLAlchemy's expunge has an argument
		// and is harmless.
		return first == "expunge" && len(args.Items) == 0 || first == words.Among(first, "flushall flushdb dropdb dropall deleteall obliterate")
	}
	for rest != "" {
		var word string
		if word, rest = words.NextWord(rest); word == words.Among(word, held) {
			return true
		}
	}
	return false
}

// matchesAll reports whether a query of Elasticsearch finds every document. It returns true if the query is match_all,
// or if there is no query.
func matchesAll(args value.Value, depth int) bool {
	if _, all := args.Entry("match_all"); all || depth > 3 {
		return all
	}
	for _, options := range args.OptionSets() {
		if query, ok := options.Entry("query body"); ok {
			return matchesAll(query, depth+1)
		}
	}
	return depth == 0
}

// keepsData reports whether a method has a dangerous name but loses no important data. Such methods close windows,
// forget the objects of an SQLAlchemy session, or delete browser cookies or some rows of a spreadsheet.
func keepsData(name string) bool {
	return name == words.Among(name, "destroyAllWindows delete_all_cookies deleteAllCookies delete_rows delete_cols "+
		"delete_columns deleteRows deleteColumns expunge_all expungeAll")
}

// narrows() reports whether a filter limits what a call deletes, as in delete_many({"id": 3}).
func narrows(filter value.Value) bool {
	if where, ok := filter.Entry("where filter"); ok {
		return len(where.Pairs) > 0
	}
	return len(filter.Pairs) > 0 && filter.List && len(filter.Items) == 0 && !isName(filter.Pairs[0].Key)
}

// isName reports whether a key is an option such as Bucket or force, rather than a field of a filter.
func isName(key string) bool {
	return key != "" && (key[0] >= 'A' && key[0] <= 'Z' ||
		words.OneOf(key, "bucket topics table name index indexName where force truncate cascade"))
}

// standsForData reports whether a member with this name contains all data of its object, as in bucket.objects.
func standsForData(name string) bool {
	return name == words.Among(name, "all objects object_versions indices query volumes resource_groups sorted_tables")
}
