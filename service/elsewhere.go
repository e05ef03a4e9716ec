package service

import (
	"fmt"

	"guardrails/hooks/session"
	"guardrails/internal/product"
)

// elsewhere refuses to answer whoever finds guidelines and records in other places than this process: it would answer
// without what is in force there. Agents can start a server, with any environment. Who says nothing of places is answered.
func (s *Service) elsewhere(caller map[string]string) error {
	if caller[product.VariableHome] == "" {
		return nil
	}
	theirs := func(name string) string { return caller[name] }
	for what, at := range map[string]func(func(string) string) string{
		"the data folder": product.DataDir, "the state folder": statePlace,
		product.VariableCluster: func(env func(string) string) string { return env(product.VariableCluster) },
	} {
		if at(theirs) != at(s.env) {
			return fmt.Errorf("environment: %s is another one here; end this server, and start it in the environment of the hooks", what)
		}
	}
	return nil
}

func statePlace(env func(string) string) string {
	path, err := session.StateDir(env)
	if err != nil {
		return ""
	}
	return path
}
