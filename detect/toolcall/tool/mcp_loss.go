package tool

import (
	"strings"

	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/words"
)

// destroysMuch reports whether the words in the name of a call say that the call deletes more than one entry.
func (f *foreignCall) destroysMuch(o nameOrder) bool {
	if o.losesMany() || f.verbs.has(verbRemove) && f.namesAll() {
		return true
	}
	name := strings.Join(o, "_")
	if words.MeaningOf(name) == words.NoMeaning && !o.has("flush empty prune") {
		return false
	}
	return o.has("drop destroy purge wipe erase terminate truncate flushall flushdb flush "+
		"obliterate nuke teardown expunge") ||
		o.has("migrate migration migrations") && o.has("reset fresh refresh") ||
		o.has("delete remove") && o.has("resource") && o.has("aws azure gcp gcloud ccapi cloud") ||
		o.has("delete remove del rm reset empty prune") &&
			(o.has("many all batch bulk query index branch volumes images system parent") || holdsMuch(name))
}

// manyEntries lists things that contain many entries. builtThings lists things whose loss stops a service. The words in
// these lists must match whole words of a name. For a thing in builtThings, only its deletion counts as a loss. For a
// thing in manyEntries, emptying the thing also counts as a loss.
const (
	manyEntries = "topic topics queue queues vhost offsets keyspace secret secrets zone zones domain domains"
	builtThings = "app apps site sites website service services workflow workflows dashboard dashboards lambda"
	// The constant "entries" lists words for a single part of something larger. The loss of a single part is ignored.
	entries = "run runs comment label tag member message widget panel alias annotation log logs cache"
	// The constant "devices" lists words for devices on which developers test their apps. The loss of an app on such a
	// device is ignored.
	devices = "appium mobile simulator emulator ios android device"
)

// losesMany reports whether a call deletes or empties one of the things in manyEntries or builtThings, or deletes all
// entries of something.
func (o nameOrder) losesMany() bool {
	deletes := o.has("delete remove")
	switch {
	case (deletes || o.has("del rm reset empty prune")) && o.has(manyEntries), deletes && o.has(builtThings):
		return !o.has(entries) && !o.has(devices)
	case o.has("clear"):
		return o.has("queue topic collection table database index objects records documents bucket")
	case o.has("empty") && o.has("trash recyclebin"):
		return true
	case o.has("purge"):
		return o.has("everything all")
	}
	return o.losesForever(deletes) || deletes && o.has("feature") && o.has("flag flags") ||
		o.has("compose") && o.has("down") && o.has("volume volumes")
}

// losesForever reports whether a call deletes something that nobody can restore. Some services do not keep deleted
// things in a trash. The name of the call or an argument may also say that nobody can restore the thing. Linear,
// Notion, Confluence and mail servers keep what is deleted.
func (o nameOrder) losesForever(deletes bool) bool {
	return deletes && !o.has("comment attachment worklog watcher link label checklist") &&
		(o.has("permanent permanently forever hard") ||
			o.has("jira trello stripe") && o.has("issue issues epic sprint version card board customer product"))
}

// namesAll reports whether an argument selects everything, such as the pattern "*". It returns false if the call has a
// path, because the path then shows what the call deletes.
func (f *foreignCall) namesAll() bool {
	if f.has("path") || f.has("directory") {
		return false
	}
	for _, m := range f.args {
		if value := strings.Trim(compact(m.Raw), "[]"); value == `"*"` || value == `"%"` {
			return true
		}
	}
	return false
}

// mutates() reports whether an argument is a GraphQL mutation with a field that deletes a lot, such as volumeDelete(…).
func (f *foreignCall) mutates() bool {
	for _, text := range append(f.texts("query"), f.texts("mutation")...) {
		if !strings.HasPrefix(strings.TrimSpace(text), "mutation") {
			continue
		}
		for _, before := range strings.Split(text, "(") {
			field := before[strings.LastIndexAny(before, " {}\n:")+1:]
			if o := nameOrder(nameWords(field)); f.destroysMuch(o) && !o.looks() {
				return true
			}
		}
	}
	return false
}

// replacesAll reports whether a call to a document database changes every document of a collection.
func (f *foreignCall) replacesAll(o nameOrder) bool {
	if database.NamesTestData(strings.Join(f.texts("database"), "")) {
		return false
	}
	for _, m := range f.args {
		switch m.Name {
		case "pipeline":
			if o.has("aggregate") && strings.Contains(string(m.Raw), `"$out"`) {
				return true
			}
		case "filter":
			if o.has("update") && o.has("many") && compact(m.Raw) == "{}" {
				return true
			}
		}
	}
	return false
}

// requestsDeletion reports whether a call sends a request that deletes something as large as an index or a database,
// judging by the method and the path in the arguments. It does not judge whole URLs.
func (f *foreignCall) requestsDeletion() bool {
	if !strings.EqualFold(strings.Join(f.texts("method"), ""), "DELETE") {
		return false
	}
	for _, path := range f.texts("path") {
		parts := strings.Split(strings.Trim(path, "/"), "/")
		if path[:min(1, len(path))] == "/" && (len(parts) == 1 || holdsMuch(parts[len(parts)-2])) {
			return true
		}
	}
	return false
}

// movesMoney reports whether a call makes a payment or a refund.
func (o nameOrder) movesMoney() bool {
	return o.has("refund refunds payout payouts") && o.has("create make issue payment charge order") ||
		o.has("transfer send wire withdraw") && o.has("funds money balance payment payments") &&
			!o.has("link reminder email request receipt invoice")
}

// requestsPayment reports whether a call sends a request for a payment or a refund, judging by the path.
func (f *foreignCall) requestsPayment() bool {
	if !strings.EqualFold(strings.Join(f.texts("method"), ""), "POST") {
		return false
	}
	for _, path := range f.texts("path") {
		if words.OneOf(path[strings.LastIndexByte(path, '/')+1:], "refunds payouts transfers") {
			return true
		}
	}
	return false
}
