package config

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// Model has the settings of the language model: how to reach it, and what guardrails asks it about. Without a URL, it
// asks no model. All fields come from the same layer, so the key from one layer is never sent to the address from
// another layer.
type Model struct {
	// URL is the address of a service with the Messages API. Name is the name of the model.
	URL, Name string
	// KeyFile is the file with the key. KeyEnv is the name of an environment variable that contains the key. At most
	// one of these two fields is set.
	KeyFile, KeyEnv string
	// Timeout is the time limit for a question, in milliseconds. ContextTimeout is the longest time, in milliseconds, that
	// a prompt waits until the model has found the prompt's domain and action. If ContextTimeout is 0, the model is not
	// asked about prompts.
	Timeout, ContextTimeout int
	// Context is set if the model is asked what a prompt is about. Audit is set if the model is asked whether an answer is
	// safe.
	Context, Audit bool
	// MaxCalls says how many times in an hour guardrails may ask the model.
	MaxCalls int
}

const modelKey = "model"

func defaultModel() Model {
	return Model{Timeout: 2000, ContextTimeout: 2000, Context: true, Audit: true, MaxCalls: 600}
}

// AsksAboutPrompts reports whether the model is asked what a prompt is about.
func (m *Model) AsksAboutPrompts() bool { return m.URL != "" && m.Context && m.ContextTimeout > 0 }

// AsksAboutAnswers reports whether the model is asked whether an answer is safe.
func (m *Model) AsksAboutAnswers() bool { return m.URL != "" && m.Audit }

// Patience returns how long a prompt may wait for the model.
func (m *Model) Patience() time.Duration {
	return time.Duration(min(m.Timeout, m.ContextTimeout)) * time.Millisecond
}

func (m *Model) specs(d *document.Decoder) []document.Spec {
	text := func(name string, into *string, read func(*document.Decoder, *document.Node, string) string) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() string { return read(d, n, path) })
		}}
	}
	number := func(name string, into *int, low, high int) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() int { return d.Int(n, path, low, high) })
		}}
	}
	flag := func(name string, into *bool) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() bool { return d.Bool(n, path) })
		}}
	}
	return []document.Spec{
		text("url", &m.URL, readModelURL), text("name", &m.Name, readName),
		text("api_key_file", &m.KeyFile, readTokenFile), text("api_key_env", &m.KeyEnv, readKeyVariable),
		number("timeout_ms", &m.Timeout, 200, 10000), number("context_detection_timeout", &m.ContextTimeout, 0, 10000),
		flag("context", &m.Context), flag("audit", &m.Audit), number("max_calls_per_hour", &m.MaxCalls, 1, 1000000),
	}
}

// readModel reads the setting "model". If a part of the setting is invalid, readModel drops the whole setting, because
// the valid parts could send a question to the wrong place.
func (c *Config) readModel(d *document.Decoder, n *document.Node, path string) {
	before, trial := len(d.Problems), defaultModel()
	c.readPersonal(d, n, path, modelKey, trial.specs(d))
	if len(d.Problems) == before {
		trial.check(d, n, path)
	}
	if len(d.Problems) > before {
		c.forgetPersonal(modelKey)
	}
}

// check() reports missing fields, and fields that must not be set at the same time.
func (m *Model) check(d *document.Decoder, n *document.Node, path string) {
	missing := func(name, remedy string) { d.Report(n, document.Join(path, name), "is missing", remedy) }
	switch {
	case m.KeyFile != "" && m.KeyEnv != "":
		d.Report(n, document.Join(path, "api_key_env"), "is set together with api_key_file", "remove one of them")
	case m.URL == "" && (m.Name != "" || m.KeyFile != "" || m.KeyEnv != ""):
		missing("url", "write the address of the service, such as https://api.anthropic.com")
	case m.URL != "" && m.Name == "":
		missing("name", "write the name of the model")
	case strings.HasPrefix(m.URL, "https:") && m.KeyFile == "" && m.KeyEnv == "":
		missing("api_key_file",
			"write the path of the file with the key, or set api_key_env to the name of the variable that contains the key")
	}
}

func readModelURL(d *document.Decoder, n *document.Node, path string) string {
	before := len(d.Problems)
	text := d.String(n, path, false)
	if len(d.Problems) == before && !isModelURL(text) {
		d.Report(n, path, document.Excerpt(text)+" is not the address of a model",
			"write https://host, or http:// and an address of this computer; leave out /v1/messages")
	}
	return text
}

// isModelURL reports whether a text is an https URL, or the http URL of this computer. The URL must not have a
// password, a query or a fragment. The URL must not contain the path /v1 either, because guardrails adds this path.
func isModelURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Opaque != "" || strings.ContainsAny(text, "?# ") {
		return false
	}
	return !strings.Contains(u.Path, "/v1") && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

func readName(d *document.Decoder, n *document.Node, path string) string {
	return d.String(n, path, false)
}

// readKeyVariable reads the name of the variable that contains the key. It rejects the variables of guardrails, because
// these variables are settings. It also rejects the variables of the client, because those can contain the client's own
// login.
func readKeyVariable(d *document.Decoder, n *document.Node, path string) string {
	before := len(d.Problems)
	name := d.String(n, path, false)
	if len(d.Problems) > before {
		return ""
	}
	plain := name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	if !plain || strings.HasPrefix(name, product.VariablePrefix) || strings.HasPrefix(name, "CLAUDE") {
		d.Report(n, path, document.Excerpt(name)+" is not the name of a variable for a key",
			"use capital letters, digits and _, and do not begin with GUARDRAILS_ or CLAUDE; never write the key itself")
	}
	return name
}
