package service

import (
	"fmt"
	"strings"

	"guardrails/config"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

const clientPrefix = "CLAUDE"

// Shared is a function that returns the environment of a process that answers the hooks of several sessions. It leaves
// out the variables of the session in which the process was started.
func Shared(env func(string) string) func(string) string {
	return func(name string) string {
		if product.IsSetting(name) || strings.HasPrefix(name, clientPrefix) {
			return ""
		}
		return env(name)
	}
}

// Carried is a function that returns the variables that a hook sends with its request. The server uses the settings in
// these variables for its answer. The server rejects the request if these variables name folders or a cluster that the
// server does not use.
func Carried(env func(string) string) map[string]string {
	out := map[string]string{}
	for _, variable := range config.Overrides(env) {
		name, value, _ := strings.Cut(variable, "=")
		out[name] = value
	}
	for _, name := range []string{
		product.VariableHome, product.VariableConfig, product.VariableData,
		product.VariableState,
	} {
		if value := env(name); value != "" {
			out[name] = value
		}
	}
	return out
}

// forCaller returns a copy of the service that reads the settings from the caller's environment variables. If the
// parameter "variables" is nil, forCaller returns the service itself.
func (s *Service) forCaller(variables map[string]string) *Service {
	if variables == nil {
		return s
	}
	other := *s
	other.flags = nil
	env := Shared(s.env)
	other.env = func(name string) string {
		if product.IsSetting(name) {
			return variables[name]
		}
		return env(name)
	}
	return &other
}

// checkPlaces returns an error if the caller uses another cluster than this process, or other folders for guidelines
// and records. Without this check, an agent could start a server in an environment of its choice, and that server would
// answer hooks without the real guidelines.
func (s *Service) checkPlaces(caller map[string]string) error {
	if caller[product.VariableHome] == "" {
		return nil
	}
	callerEnv := func(name string) string { return caller[name] }
	for what, place := range map[string]func(func(string) string) string{
		"the data folder": product.DataDir, "the state folder": stateFolder,
		"the folder of the user's settings": product.ConfigDir,
		product.VariableCluster:             func(env func(string) string) string { return env(product.VariableCluster) },
	} {
		if place(callerEnv) != place(s.env) {
			return fmt.Errorf("environment: %s is different in this server; end the server, and start it in the "+
				"environment of the hooks", what)
		}
	}
	return nil
}

func stateFolder(env func(string) string) string {
	path, err := private.StateDir(env)
	if err != nil {
		return ""
	}
	return path
}
