package elastic

import "fmt"

// The type "layout" defines an index. The fields of a released version never change. A layout that must change a field
// gets a new version, and Open migrates the documents to it. A new field does not need a new version: Open adds it to
// existing indices.
type layout struct {
	index   string
	version int
	// The text "refresh" is the longest time until searches see a new document. The text "fields" has the fields of the
	// mapping.
	refresh, fields string
}

// layouts() returns the newest layout of every index.
func layouts() []layout {
	return []layout{
		{configIndex, 1, "1s", configFields},
		{auditIndex, 1, "30s", auditFields},
		{stateIndex, 1, "1s", stateFields},
	}
}

// body() returns the request that creates the index. If there is a second node, the second node gets a replica of the
// index. The index must accept every committed document. If a number or date is out of range, the index therefore
// stores the value, but does not index it.
func (l layout) body() string {
	return fmt.Sprintf(`{"settings": %s, "mappings": {"dynamic": "strict", "_meta": {"version": %d}, "properties": {%s}}}`,
		l.settings(), l.version, l.fields)
}

func (l layout) settings() string {
	return fmt.Sprintf(`{
		"number_of_shards": 1, "auto_expand_replicas": "0-1", "refresh_interval": %q,
		"mapping.ignore_malformed": true, "max_result_window": %d
	}`, l.refresh, window)
}

// The types of fields. A keyword that is too long for Lucene is stored, but not indexed.
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

// configFields are the fields of one version of a guideline. The field "generation" has the first generation in which
// readers see the version. The field "superseded" has the first generation in which they no longer see it. The fields
// after "superseded" are for sorting and searching lists.
const configFields = `
	"id": ` + keyword + `, "name": ` + nameText + `, "description": ` + text + `, "enabled": ` + boolean + `, "locked": ` + boolean + `,
	"category": ` + keyword + `, "priority": ` + whole + `,
	"condition": {"properties": {
		"agents": ` + keyword + `, "domains": ` + keyword + `, "actions": ` + keyword + `, "paths": ` + keyword + `,
		"events": ` + keyword + `, "gate_types": ` + keyword + `, "custom": ` + opaque + `}},
	"action": {"properties": {
		"type": ` + keyword + `, "instruction": ` + text + `, "tools_allowed": ` + keyword + `, "tools_denied": ` + keyword + `,
		"tools_asked": ` + keyword + `,
		"gate_type": ` + keyword + `, "gate_threshold": ` + keyword + `, "max_files": ` + whole + `,
		"require_tests": ` + boolean + `, "require_review": ` + boolean + `, "parameters": ` + opaque + `}},
	"metadata": ` + opaque + `, "version": ` + number + `, "created_at": ` + date + `, "updated_at": ` + date + `,
	"created_by": ` + keyword + `, "tenant_id": ` + keyword + `, "project_id": ` + keyword + `,
	"event_type": ` + keyword + `, "deleted": ` + boolean + `, "actor": ` + keyword + `, "at": ` + date + `, "write_id": ` + keyword + `,
	"generation": ` + number + `, "superseded": ` + number + `,
	"name_folded": ` + keyword + `, "searchable": ` + keyword + `, "tags": ` + keyword

// auditFields are the fields of an audit entry. The field "mode" is a copy of the mode in the metadata, because
// searches do not see the metadata. Documents that earlier programs wrote do not have this field.
const auditFields = `
	"id": ` + keyword + `, "event_type": ` + keyword + `, "timestamp": ` + date + `,
	"guideline_id": ` + keyword + `, "project_id": ` + keyword + `, "guideline_name": ` + text + `, "guideline_version": ` + number + `,
	"context": {"properties": {
		"agent": ` + keyword + `, "domain": ` + keyword + `, "action": ` + keyword + `, "paths": ` + keyword + `, "event": ` + keyword + `,
		"gate_type": ` + keyword + `, "tenant_id": ` + keyword + `, "session_id": ` + keyword + `, "metadata": ` + opaque + `}},
	"decision": {"properties": {
		"result": ` + keyword + `, "reason": ` + text + `, "user_response": ` + keyword + `, "tool": ` + keyword + `,
		"effects_digest": ` + keyword + `, "duration_us": ` + number + `, "fallback": ` + keyword + `}},
	"changes": {"properties": {"field": ` + keyword + `, "old_value": ` + text + `, "new_value": ` + text + `}},
	"pruning": {"properties": {"writer": ` + keyword + `, "seq": ` + number + `, "hash": ` + keyword + `}},
	"mode": ` + keyword + `,
	"actor": ` + keyword + `, "tenant_id": ` + keyword + `, "session_id": ` + keyword + `, "revision_digest": ` + keyword + `,
	"writer": ` + keyword + `, "kind": ` + keyword + `, "seq": ` + number + `, "prev": ` + keyword + `, "hash": ` + keyword

// stateFields are the fields of the documents in the state index. These documents are journals, results of write ids,
// parts of large transactions, the writer name of the chains, the list of segments, and documents about webhooks.
// Deliveries, old parts, and the journals that a join must finish are found by a search. All other documents are read
// by name.
const stateFields = `
	"kind": ` + keyword + `, "tenant_id": ` + keyword + `, "writer": ` + keyword + `,
	"generation": ` + number + `, "heads": ` + opaque + `, "pending": ` + opaque + `,
	"fingerprint": ` + keyword + `, "result": ` + opaque + `,
	"transaction": ` + keyword + `, "created": ` + date + `, "actions": ` + opaque + `,
	"segment": ` + whole + `, "segments": ` + opaque + `,
	"endpoint": ` + keyword + `, "delivery": ` + keyword + `, "due": ` + date + `, "webhook": ` + opaque
