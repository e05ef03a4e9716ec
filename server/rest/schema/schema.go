// Package schema has the JSON Schemas of the bodies and the answers of the REST API, except for the detectors and the
// safety gate.
//
// Start with All. The schemas have the same names as in the OpenAPI document.
package schema

import "encoding/json"

// All returns all schemas. The keys of the result are the names of the schemas.
func All() map[string]any {
	out := map[string]any{}
	for _, text := range []string{
		sessionSchemas + trySchemas + replaySchemas + pageSchemas + adminSchemas + guidelineSchemas, changeSchemas, questionSchemas, callSchemas,
		auditSchemas, policySchemas, webhookSchemas, otherSchemas,
	} {
		if err := json.Unmarshal([]byte("{"+text+"}"), &out); err != nil {
			panic(err) // only a wrong schema can cause this error, and every test of the OpenAPI document would fail then
		}
	}
	return out
}
