// Package metrics counts what a server does, in the form that Prometheus reads.
//
// Start with Definitions, which is every metric with its meaning; docs/metrics.md is made of it. record.go has a method
// for each thing that is counted. No label holds a session, a guideline or a caller: their number has no bound.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is what is counted in one server. It may be used by several goroutines at once.
type Metrics struct {
	counters   map[string]*prometheus.CounterVec
	gauges     map[string]*prometheus.GaugeVec
	histograms map[string]*prometheus.HistogramVec
	shown      http.Handler
}

// New makes the metrics of a server of some version.
func New(version string) *Metrics {
	m := &Metrics{
		counters: map[string]*prometheus.CounterVec{}, gauges: map[string]*prometheus.GaugeVec{}, histograms: map[string]*prometheus.HistogramVec{},
	}
	registry := prometheus.NewRegistry()
	for _, d := range Definitions() {
		registry.MustRegister(m.make(d))
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.shown = promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry})
	m.gauges[buildInfo].WithLabelValues(version).Set(1)
	return m
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

// buckets are the bounds of the histograms, in seconds: a question in memory takes a tenth of a millisecond, one that waits
// for a store that does not answer some seconds.
func buckets() []float64 {
	return []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
}

// ServeHTTP shows every metric.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.shown.ServeHTTP(w, r) }
