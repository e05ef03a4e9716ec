package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/product"
)

func TestQuestionsOfTheFirstStartAreAnsweredInAdvance(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, product.ClientState)
	if err := os.WriteFile(path, []byte(`{"theme":"light","kept":[1],"projects":{"/other":{"x":1},"/project":{"y":2}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := settle(home, "/project"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Done     bool `json:"hasCompletedOnboarding"`
		Kept     []int
		Projects map[string]map[string]any
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	project := state.Projects["/project"]
	if !state.Done || project["hasTrustDialogAccepted"] != true || project["y"] != 2.0 || len(state.Kept) != 1 || state.Projects["/other"] == nil {
		t.Errorf("the state is %s", text)
	}
	if strings.Contains(string(text), dummyKey) {
		t.Error("the state contains the whole key instead of its end")
	}
}

func TestUnreadableStateIsNotOverwritten(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, product.ClientState)
	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := settle(home, "/project"); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "{broken" {
		t.Errorf("the state is %q (%v)", text, err)
	}
}
