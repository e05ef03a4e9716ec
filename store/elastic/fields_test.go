package elastic

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// full() returns a guideline in which every field is set.
func full() guideline.Guideline {
	files, yes := 3, true
	return guideline.Guideline{
		ID: "full", Name: "Full", Description: "All fields.", Enabled: true, Locked: true, Category: guideline.Security,
		Priority: 500, ProjectID: "example.com/shop", Metadata: map[string]any{"tags": []any{"x"}},
		Condition: guideline.Condition{
			Agents: []string{"a"}, Domains: []string{"d"}, Actions: []string{"test"}, Paths: []string{"src/*"},
			Events: []string{"commit"}, GateTypes: []string{"g"}, Custom: map[string]any{"k": "v"},
		},
		Action: guideline.Action{
			Type: guideline.HITLGate, Instruction: "Ask.", ToolsAllowed: []string{"Read"}, ToolsDenied: []string{"Write"},
			ToolsAsked: []string{"Edit"}, GateType: "g", GateThreshold: guideline.Advisory, MaxFiles: &files,
			RequireTests: &yes, RequireReview: &yes, Parameters: map[string]any{"k": "v"},
		},
	}
}

func TestTheMappingHasEveryField(t *testing.T) {
	g := full()
	g.CreatedAt, g.UpdatedAt, g.CreatedBy, g.TenantID, g.Version = time.Now(), time.Now(), "ann", "a", 1
	k := &storedRevision{store.Revision{Guideline: g}, 1, 2}
	revision, err := k.encode()
	if err != nil {
		t.Fatal(err)
	}
	entry, err := json.Marshal(entryDoc{Entry: store.Entry{
		ID: "e", Guideline: "full", ProjectID: "example.com/shop", GuidelineName: "Full", Version: 1, Digest: "d", Actor: "ann",
		Session: "s", Prev: "p", Hash: "h", Writer: "w", Decision: &store.Decision{
			Reason: "r", UserResponse: "u", Tool: "t", Effects: "e", Micros: 1, Fallback: "f",
		}, Pruning: &store.Pruning{}, Context: &guideline.Context{Agent: "a"},
	}, Changes: []changeDoc{{Field: "f"}}, Mode: "enforce"})
	if err != nil {
		t.Fatal(err)
	}
	for fields, doc := range map[string]json.RawMessage{configFields: revision, auditFields: entry} {
		var mapped, written properties
		if err := json.Unmarshal([]byte("{"+fields+"}"), &mapped); err != nil {
			t.Fatal(err)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(doc, &all); err != nil {
			t.Fatal(err)
		}
		written = properties{}
		for name := range all {
			written[name] = struct {
				Properties properties `json:"properties"`
			}{}
		}
		if mapped.lacks(written) {
			t.Errorf("the mapping lacks a field of %s", doc)
		}
	}
}

func TestAnIndexFromAnEarlierProgramGetsTheNewFields(t *testing.T) {
	for _, variable := range []string{"GUARDRAILS_TEST_ELASTICSEARCH", "GUARDRAILS_TEST_OPENSEARCH"} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			o := Options{Addresses: []string{os.Getenv(variable)}, Prefix: strings.ToLower(store.NewID(time.Now())) + "-"}
			s := openEarlier(t, o)
			earlier := writeAs("earlier")
			if _, err := s.Create(t.Context(), earlier, anyGuideline("earlier")); err != nil {
				t.Fatal(err)
			}
			refused := full()
			refused.ID = "refused"
			if _, err := s.Create(t.Context(), writeAs("refused"), refused); err == nil {
				t.Error("the index without the new fields accepts them")
			}
			now, err := Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			defer now.Close()
			// This call also finishes the earlier change, whose documents the index refused.
			if _, err := now.Create(t.Context(), writeAs("accepted"), full()); err != nil {
				t.Error(err)
			}
			if _, err := now.Get(t.Context(), "a", store.KeyOf(&refused)); err != nil {
				t.Error(err)
			}
			verdict := store.Entry{
				ID: "verdict", Kind: store.KindDecision, Event: "safety_input",
				Context: &guideline.Context{Metadata: map[string]any{"details": map[string]any{"mode": "observe"}}},
			}
			if _, err := now.Append(t.Context(), "a", verdict); err != nil {
				t.Error(err)
			}
			found, err := now.Query(t.Context(), "a", store.AuditQuery{AuditFilter: store.AuditFilter{Mode: "observe"}})
			if err != nil || found.Total != 1 {
				t.Errorf("%d verdicts, %v", found.Total, err)
			}
			all := ""
			page, err := now.List(t.Context(), "a", store.ListQuery{Filter: store.Filter{ProjectID: &all}})
			if err != nil || page.Total != 1 || page.Items[0].ID != "earlier" {
				t.Errorf("of all projects are %+v, %v; want the guideline of the earlier program", page.Items, err)
			}
		})
	}
}

func writeAs(id string) store.Write { return store.Write{ID: "write-" + id, Tenant: "a", Actor: "ann"} }

// openEarlier opens a new store whose indices do not have the fields project_id, locked, tools_asked and mode.
func openEarlier(t *testing.T, o Options) *Store {
	t.Helper()
	s := openOld(t, o)
	for _, l := range layouts() {
		for _, field := range []string{"project_id", "locked", "tools_asked", "mode"} {
			for _, of := range []string{keyword, boolean} {
				l.fields = strings.ReplaceAll(l.fields, `"`+field+`": `+of+`,`, "")
			}
		}
		name := s.versioned(l)
		if err := s.client.Do(t.Context(), func() esapi.Request {
			return esapi.IndicesDeleteRequest{Index: []string{name}}
		}, nil); err != nil && !cluster.IsRefusal(err, http.StatusNotFound) {
			t.Fatal(err)
		}
		of := s.target(l)
		if err := s.create(t.Context(), of, of.aliases...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.identify(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	return s
}
