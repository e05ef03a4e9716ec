package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"guardrails/internal/product"
)

// settle() answers the questions of a first start: the theme, the use of the key, and the trust in the project. It
// changes nothing else in the client's state file.
func settle(home, project string) error {
	path := filepath.Join(home, product.ClientState)
	state := map[string]any{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the client's state %s cannot be read: %w; remove it", path, err)
	}
	answer(state, project)
	if text, err = json.MarshalIndent(state, "", "  "); err != nil {
		return fmt.Errorf("the client's state %s cannot be encoded: %w", path, err)
	}
	return os.WriteFile(path, text, 0o600)
}

func answer(state map[string]any, project string) {
	state["hasCompletedOnboarding"] = true
	state["theme"] = "dark"
	state["bypassPermissionsModeAccepted"] = true
	state["customApiKeyResponses"] = map[string]any{
		"approved": []string{dummyKey[len(dummyKey)-20:]},
		"rejected": []string{},
	}
	projects, _ := state["projects"].(map[string]any)
	if projects == nil {
		projects = map[string]any{}
		state["projects"] = projects
	}
	known, _ := projects[project].(map[string]any)
	if known == nil {
		known = map[string]any{}
		projects[project] = known
	}
	known["hasTrustDialogAccepted"] = true
}
