package service

import (
	"fmt"
	"strings"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// clientPrefix starts the names of the client's variables.
const clientPrefix = "CLAUDE"

// Shared is the environment of a process that answers the hooks of several sessions: without what says something of the
// one session that it was started in.
func Shared(env func(string) string) func(string) string {
	return func(name string) string {
		if product.IsSetting(name) || strings.HasPrefix(name, clientPrefix) {
			return ""
		}
		return env(name)
	}
}

// Carried are the variables that a hook's question carries, so that it is answered from this environment or not at all.
func Carried(env func(string) string) map[string]string {
	out := map[string]string{}
	for _, variable := range config.Overrides(env) {
		name, value, _ := strings.Cut(variable, "=")
		out[name] = value
	}
	for _, name := range []string{product.VariableHome, product.VariableData, product.VariableState} {
		if value := env(name); value != "" {
			out[name] = value
		}
	}
	return out
}

// under is the service as it answers questions from another environment.
func (s *Service) under(variables map[string]string) *Service {
	if variables == nil {
		return s
	}
	other := *s
	env := Shared(s.env)
	other.env = func(name string) string {
		if product.IsSetting(name) {
			return variables[name]
		}
		return env(name)
	}
	return &other
}

// variables reads the settings that a caller's environment holds.
func variables(d *document.Decoder, n *document.Node, at string) map[string]string {
	if n.Kind != document.Object {
		d.Report(n, at, fmt.Sprintf("is %s where an object is expected", n.Kind), "write an object")
		return nil
	}
	out := map[string]string{}
	for _, f := range n.Fields {
		path := document.Join(at, f.Name)
		if !product.IsSetting(f.Name) && !product.IsLocation(f.Name) {
			d.Report(f.Value, path, "is no variable of a setting", "give only those that begin with "+product.VariablePrefix)
			continue
		}
		out[f.Name] = anyText(d, f.Value, path)
	}
	return out
}
