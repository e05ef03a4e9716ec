// Package metrics counts what a server does and shows it in the format of Prometheus.
//
// Start with Definitions, which lists every metric with its meaning. docs/metrics.md is generated from this list.
// record.go has a method for each kind of event. No label contains a session, a guideline or a caller, because the
// number of different values must stay small.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/policy"
)

// Metrics holds the metrics of one server. It is safe for concurrent use.
type Metrics struct {
	counters   map[string]*prometheus.CounterVec
	gauges     map[string]*prometheus.GaugeVec
	histograms map[string]*prometheus.HistogramVec
	shown      http.Handler
}

// New returns the metrics of a server of the given version.
func New(version string) *Metrics {
	m := &Metrics{
		counters: map[string]*prometheus.CounterVec{}, gauges: map[string]*prometheus.GaugeVec{},
		histograms: map[string]*prometheus.HistogramVec{},
	}
	registry := prometheus.NewRegistry()
	for _, d := range Definitions() {
		registry.MustRegister(m.make(d))
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.shown = promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry})
	m.gauges[buildInfo].WithLabelValues(version).Set(1)
	m.beginAtZero()
	return m
}

// beginAtZero makes every counter exist before its first event. Otherwise, Prometheus would not see the first increase.
func (m *Metrics) beginAtZero() {
	for name, values := range map[string][]string{
		auditGap: nil, unguarded: nil, decisions: withOther(decisionResults()), fallbacks: withOther(fallbackSources()),
		refused:     {string(Unauthorized), string(WrongHost), string(WrongOrigin), string(RateLimited), string(Crowded)},
		storeChecks: {resultOK, resultFailed}, questions: {fromMemory, fromFiles}, piiMasked: piiCategories(),
		policies: policy.ActionKinds(), interventions: risks(),
		deliveries: deliveryOutcomes(), changes: changeEvents(),
	} {
		if values == nil {
			m.counters[name].WithLabelValues()
		}
		for _, value := range values {
			m.counters[name].WithLabelValues(value)
		}
	}
	for _, mode := range modes() {
		m.counters[checks].WithLabelValues(policy.StageInput, string(safety.InputCheck), "hold", mode)
		m.counters[checks].WithLabelValues(policy.StageInput, string(safety.InputCheck), "block", mode)
		m.counters[checks].WithLabelValues(policy.StageOutput, string(safety.ValuesBoundary), "block", mode)
		m.counters[checks].WithLabelValues(policy.StageOutput, string(safety.SocialRisk), "hold", mode)
		m.counters[checks].WithLabelValues(policy.StageOutput, string(safety.InactionGuard), "hold", mode)
	}
	for _, use := range modelUses() {
		for _, outcome := range modelOutcomes() {
			m.counters[modelRequests].WithLabelValues(use, outcome)
		}
		m.counters[modelCache].WithLabelValues(use, cacheHit)
		m.counters[modelCache].WithLabelValues(use, cacheMiss)
	}
	for _, risk := range risks() {
		for _, result := range auditResults() {
			m.counters[audits].WithLabelValues(risk, result)
		}
	}
}

// changeEvents returns the events of store/live that Changed counts.
func changeEvents() []string {
	return []string{"guideline_changed", "guidelines_imported", "guidelines_reread"}
}

func piiCategories() []string {
	var names []string
	for _, c := range pii.Categories() {
		names = append(names, c.String())
	}
	return names
}

func (m *Metrics) make(d Definition) prometheus.Collector {
	switch d.Kind {
	case Histogram:
		o := prometheus.HistogramOpts{Name: d.Name, Help: d.Help, Buckets: buckets()}
		m.histograms[d.Name] = prometheus.NewHistogramVec(o, d.Labels)
		return m.histograms[d.Name]
	case Gauge:
		m.gauges[d.Name] = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: d.Name, Help: d.Help}, d.Labels)
		return m.gauges[d.Name]
	default:
		m.counters[d.Name] = prometheus.NewCounterVec(prometheus.CounterOpts{Name: d.Name, Help: d.Help}, d.Labels)
		return m.counters[d.Name]
	}
}

// buckets() returns the bounds of the histograms in seconds. An answer from memory takes less than a millisecond. An
// answer that waits for a store can take several seconds.
func buckets() []float64 {
	return []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
}

// ServeHTTP shows every metric.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.shown.ServeHTTP(w, r) }
