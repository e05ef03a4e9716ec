package hooks_test

import (
	"testing"

	"guardrails/hooks/wire"
)

func TestAPromptThatTheSafetyGateRefusesDoesNotReachTheModel(t *testing.T) {
	s := newStage(t, paths)
	ask := s.host.Ask
	s.host.Ask = func(request []byte) ([]byte, error, error) {
		answer, passed, err := ask(request)
		return append([]byte(`{"refusal":"Help is near.",`), answer[1:]...), passed, err
	}
	o := s.prompt("anything")
	if o.Counter != "Help is near." || o.Context != "" || o.Verdict != wire.Pass {
		t.Errorf("got %+v", o)
	}
	if got := s.records("prompt"); len(got) != 1 || got[0]["outcome"] != "refused" {
		t.Errorf("recorded %v", got)
	}
	// The model has not seen the guidelines, so they come with the next prompt.
	s.host.Ask = ask
	if o := s.prompt("anything"); o.Counter != "" || o.Context == "" {
		t.Errorf("the next prompt: %+v", o)
	}
}
