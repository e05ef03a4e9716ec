package elastic

import "fmt"

// layout is what an index looks like. A version that was released is never changed: a new one is added, and opening
// copies what is there into it.
type layout struct {
	index   string
	version int
	// refresh is how soon searches see what was written, fields the mapping.
	refresh, fields string
}

// layouts are the newest of all indices.
func layouts() []layout {
	return []layout{
		{configIndex, 1, "100ms", configFields},
		{auditIndex, 1, "500ms", auditFields},
		{stateIndex, 1, "1s", stateFields},
	}
}

// body creates the index. One copy more is kept where there is a second node. Numbers and dates that the index cannot
// hold are not looked up by, but never refused: what was committed has to fit.
func (l layout) body() string {
	return fmt.Sprintf(`{
		"settings": {
			"number_of_shards": 1, "auto_expand_replicas": "0-1", "refresh_interval": %q,
			"mapping.ignore_malformed": true, "max_result_window": %d
		},
		"mappings": {"dynamic": "strict", "_meta": {"version": %d}, "properties": {%s}}
	}`, l.refresh, window, l.version, l.fields)
}

// The kinds of fields. A keyword longer than Lucene takes is kept, and not found.
const (
	keyword  = `{"type": "keyword", "ignore_above": 8191}`
	opaque   = `{"type": "object", "enabled": false}`
	text     = `{"type": "text"}`
	number   = `{"type": "long"}`
	whole    = `{"type": "integer"}`
	boolean  = `{"type": "boolean"}`
	date     = `{"type": "date"}`
	nameText = `{"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 8191}}}`
)

// configFields: every version of every guideline. generation and superseded bound when readers see it, the rest after
// them is what lists are sorted and searched by.
const configFields = `
	"id": ` + keyword + `, "name": ` + nameText + `, "description": ` + text + `, "enabled": ` + boolean + `,
	"category": ` + keyword + `, "priority": ` + whole + `,
	"condition": {"properties": {
		"agents": ` + keyword + `, "domains": ` + keyword + `, "actions": ` + keyword + `, "paths": ` + keyword + `,
		"events": ` + keyword + `, "gate_types": ` + keyword + `, "custom": ` + opaque + `}},
	"action": {"properties": {
		"type": ` + keyword + `, "instruction": ` + text + `, "tools_allowed": ` + keyword + `, "tools_denied": ` + keyword + `,
		"gate_type": ` + keyword + `, "gate_threshold": ` + keyword + `, "max_files": ` + whole + `,
		"require_tests": ` + boolean + `, "require_review": ` + boolean + `, "parameters": ` + opaque + `}},
	"metadata": ` + opaque + `, "version": ` + number + `, "created_at": ` + date + `, "updated_at": ` + date + `,
	"created_by": ` + keyword + `, "tenant_id": ` + keyword + `,
	"event_type": ` + keyword + `, "deleted": ` + boolean + `, "actor": ` + keyword + `, "at": ` + date + `, "write_id": ` + keyword + `,
	"generation": ` + number + `, "superseded": ` + number + `,
	"name_folded": ` + keyword + `, "searchable": ` + keyword + `, "tags": ` + keyword

// auditFields: the entries of the audit.
const auditFields = `
	"id": ` + keyword + `, "event_type": ` + keyword + `, "timestamp": ` + date + `,
	"guideline_id": ` + keyword + `, "guideline_name": ` + text + `, "guideline_version": ` + number + `,
	"context": {"properties": {
		"agent": ` + keyword + `, "domain": ` + keyword + `, "action": ` + keyword + `, "paths": ` + keyword + `, "event": ` + keyword + `,
		"gate_type": ` + keyword + `, "tenant_id": ` + keyword + `, "session_id": ` + keyword + `, "metadata": ` + opaque + `}},
	"decision": {"properties": {
		"result": ` + keyword + `, "reason": ` + text + `, "user_response": ` + keyword + `, "tool": ` + keyword + `,
		"effects_digest": ` + keyword + `, "duration_us": ` + number + `, "fallback": ` + keyword + `}},
	"changes": {"properties": {"field": ` + keyword + `, "old_value": ` + text + `, "new_value": ` + text + `}},
	"pruning": {"properties": {"writer": ` + keyword + `, "seq": ` + number + `, "hash": ` + keyword + `}},
	"actor": ` + keyword + `, "tenant_id": ` + keyword + `, "session_id": ` + keyword + `, "revision_digest": ` + keyword + `,
	"writer": ` + keyword + `, "kind": ` + keyword + `, "seq": ` + number + `, "prev": ` + keyword + `, "hash": ` + keyword

// stateFields: journals, what write ids did, parts of large transactions, and the name of the store's chains. All of
// them are read by their names.
const stateFields = `
	"kind": ` + keyword + `, "tenant_id": ` + keyword + `, "writer": ` + keyword + `,
	"generation": ` + number + `, "heads": ` + opaque + `, "pending": ` + opaque + `,
	"fingerprint": ` + keyword + `, "result": ` + opaque + `,
	"transaction": ` + keyword + `, "created": ` + date + `, "actions": ` + opaque
