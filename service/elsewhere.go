package service

import (
	"fmt"
	"path/filepath"

	"guardrails/hooks/session"
)

// The variables that say where guidelines and records lie, beside the settings.
const (
	variableHome    = "HOME"
	variableData    = "XDG_DATA_HOME"
	variableState   = "XDG_STATE_HOME"
	variableCluster = "ELASTICSEARCH_URL"
)

func isPlace(name string) bool {
	return name == variableHome || name == variableData || name == variableState || name == variableCluster
}

// elsewhere refuses to answer whoever finds guidelines and records in other places than this process: it would answer
// without what is in force there. Agents can start a server, with any environment. Who says nothing of places is answered.
func (s *Service) elsewhere(caller map[string]string) error {
	if caller[variableHome] == "" {
		return nil
	}
	theirs := func(name string) string { return caller[name] }
	for what, at := range map[string]func(func(string) string) string{
		"the data folder": dataPlace, "the state folder": statePlace,
		variableCluster: func(env func(string) string) string { return env(variableCluster) },
	} {
		if at(theirs) != at(s.env) {
			return fmt.Errorf("environment: %s is another one here; end this server, and start it in the environment of the hooks", what)
		}
	}
	return nil
}

func dataPlace(env func(string) string) string {
	if base := env(variableData); filepath.IsAbs(base) {
		return filepath.Clean(base)
	}
	return filepath.Join(env(variableHome), ".local", "share")
}

func statePlace(env func(string) string) string {
	path, err := session.StateDir(env)
	if err != nil {
		return ""
	}
	return path
}
