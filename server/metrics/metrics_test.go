package metrics_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/golden"
	"guardrails/server/metrics"
)

var update = flag.Bool("update", false, "rewrite the table in docs/metrics.md")

func scrape(m *metrics.Metrics) string {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

// usedMetrics returns metrics in which every counter, gauge and histogram has a value.
func usedMetrics() *metrics.Metrics {
	m := metrics.New("1.2.3")
	m.Request("port", "/mcp", 200, time.Millisecond)
	m.Tool("guardrails_list", true, time.Millisecond)
	m.Refused(metrics.RateLimited)
	m.Store(true, time.Second)
	m.Store(false, 5*time.Second)
	m.Decision("deny")
	m.Decision("made up")
	m.Fallback("static")
	m.Unguarded()
	m.Changed("guideline_changed")
	m.Question(true)
	m.Checked("output", "SocialRisk", "hold", "observe", []string{"stop", "made up"})
	m.Checked("made up", "made up", "made up", "made up", nil)
	m.ModelAsked("audit", "ok", time.Second)
	m.ModelAsked("x", "made up", time.Second)
	m.ModelCached("context", true)
	m.OutputAudited("behavior_romantic", "unsafe", true)
	m.OutputAudited("a name", "made up", false)
	m.Webhook("delivered")
	m.Spool(42)
	m.AuditEntries("decision", 7)
	return m
}

func TestEveryMetricIsServed(t *testing.T) {
	text := scrape(usedMetrics())
	for _, want := range []string{
		`guardrails_build_info{version="1.2.3"} 1`,
		`guardrails_request_duration_seconds_count{code="200",route="/mcp",transport="port"} 1`,
		`guardrails_tool_duration_seconds_count{outcome="error",tool="guardrails_list"} 1`,
		`guardrails_refused_requests_total{reason="rate_limited"} 1`,
		"guardrails_store_up 0",
		`guardrails_store_checks_total{result="failed"} 1`,
		"guardrails_audit_gap_seconds_total 5",
		`guardrails_decisions_total{result="deny"} 1`,
		`guardrails_decisions_total{result="other"} 1`,
		`guardrails_fallback_activations_total{source="static"} 1`,
		"guardrails_unguarded_calls_total 1",
		`guardrails_guideline_changes_total{event="guideline_changed"} 1`,
		`guardrails_questions_total{source="memory"} 1`,
		`guardrails_safety_decisions_total{action="hold",gate="SocialRisk",mode="observe",stage="output"} 1`,
		`guardrails_safety_decisions_total{action="other",gate="other",mode="other",stage="other"} 1`,
		`guardrails_policy_matches_total{action="stop"} 1`, `guardrails_policy_matches_total{action="other"} 1`,
		`guardrails_model_requests_total{outcome="ok",use="audit"} 1`,
		`guardrails_model_requests_total{outcome="other",use="other"} 1`,
		`guardrails_model_request_duration_seconds_count{use="audit"} 1`,
		`guardrails_model_cache_total{result="hit",use="context"} 1`,
		`guardrails_output_audits_total{intent="behavior_romantic",result="unsafe"} 1`,
		`guardrails_output_audits_total{intent="other",result="other"} 1`,
		`guardrails_output_interventions_total{intent="behavior_romantic"} 1`,
		"guardrails_spool_backlog_bytes 42",
		`guardrails_webhook_deliveries_total{outcome="delivered"} 1`,
		`guardrails_audit_entries{kind="decision"} 7`,
		"go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %s in\n%s", want, text)
		}
	}
}

func TestEveryDefinedMetricIsUsed(t *testing.T) {
	text := scrape(usedMetrics())
	for _, d := range metrics.Definitions() {
		if !strings.Contains(text, "# TYPE "+d.Name+" "+string(d.Kind)+"\n") {
			t.Errorf("%s is defined but not used", d.Name)
		}
	}
}

const page = "../../docs/metrics.md"

// The table in the documentation is generated from the definitions.
func TestTheDocumentedTableMatchesTheDefinitions(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| metric | kind | labels | what it says |\n|---|---|---|---|\n")
	for _, d := range metrics.Definitions() {
		table.WriteString("| `" + d.Name + "` | " + string(d.Kind) + " | " + strings.Join(d.Labels, ", ") + " | " + d.Help +
			" |\n")
	}
	const begin, end = "<!-- table -->\n", "<!-- end -->"
	before, rest, one := strings.Cut(string(text), begin)
	_, after, two := strings.Cut(rest, end)
	if !one || !two {
		t.Fatalf("%s has no markers for the table", page)
	}
	golden.Check(t, *update, page, before+begin+table.String()+end+after)
}

func TestTheExampleDashboardUsesAllMetricsAndNoOthers(t *testing.T) {
	text, err := os.ReadFile("../../docs/examples/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			names := regexp.MustCompile(`\b(guardrails|go|process)_[a-z_]+`).FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("the panel %s has no metric: %s", p.Title, target.Expr)
			}
			used = append(used, names...)
		}
	}
	everything := scrape(usedMetrics())
	for _, name := range used {
		if !strings.Contains(everything, "\n"+name+"{") && !strings.Contains(everything, "\n"+name+" ") {
			t.Errorf("the dashboard uses %s, which does not exist", name)
		}
	}
	for _, d := range metrics.Definitions() {
		if !slices.ContainsFunc(used, func(name string) bool { return strings.HasPrefix(name, d.Name) }) {
			t.Errorf("the dashboard does not show %s", d.Name)
		}
	}
}

func TestCountersBeginAtZero(t *testing.T) {
	text := scrape(metrics.New("1.2.3"))
	for _, d := range metrics.Definitions() {
		is := regexp.MustCompile(`(?m)^` + d.Name + `(\{.*\})? 0$`)
		if d.Kind == metrics.Counter && !is.MatchString(text) {
			t.Errorf("%s does not begin at zero", d.Name)
		}
	}
	for _, want := range []string{
		"guardrails_audit_gap_seconds_total 0", "guardrails_unguarded_calls_total 0",
		`guardrails_decisions_total{result="deny"} 0`, `guardrails_fallback_activations_total{source="static"} 0`,
		`guardrails_refused_requests_total{reason="unauthorized"} 0`, `guardrails_store_checks_total{result="failed"} 0`,
		`guardrails_questions_total{source="memory"} 0`, `guardrails_pii_masked_total{category="email"} 0`,
		`guardrails_policy_matches_total{action="override_safety"} 0`,
		`guardrails_safety_decisions_total{action="block",gate="InputCheck",mode="enforce",stage="input"} 0`,
		`guardrails_model_requests_total{outcome="timeout",use="context"} 0`,
		`guardrails_output_interventions_total{intent="behavior_self_harm"} 0`,
		`guardrails_guideline_changes_total{event="guidelines_imported"} 0`,
		`guardrails_model_cache_total{result="hit",use="audit"} 0`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %s", want)
		}
	}
}
