package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/service"
	"guardrails/service/inject"
)

// The file testdata/session/prompts.txt has the prompts of a typical session. In the middle of the session, the client
// compacts the conversation once. The test counts four characters as one token.
func TestASessionOfFortyPromptsCostsFewTokens(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "session", "prompts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	prompts := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(prompts) != 40 {
		t.Fatalf("there are %d prompts", len(prompts))
	}
	for _, c := range []struct {
		packs string
		limit int
	}{{"[core]", 2500}, {"[core, roles]", 4000}} {
		t.Run(c.packs, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: " + c.packs + "\n"})
			told, every := charactersOf(t, p, prompts)
			t.Logf("%d tokens, %d if each prompt added the whole text", told/4, every/4)
			if told/4 > c.limit {
				t.Errorf("the session costs %d tokens, more than %d", told/4, c.limit)
			}
		})
	}
}

// charactersOf simulates a session. It returns how many characters the model receives ("told"), and how many it would
// receive if each prompt added the whole text ("every").
func charactersOf(t *testing.T, p *project, prompts []string) (told, every int) {
	t.Helper()
	d, err := private.Open(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	add := func(prompt string) {
		text := p.ask(service.Request{Prompt: prompt, Hook: true}).Injection
		told += inject.Size(session.OpenTold(d, "s").Add(text))
		if prompt != "" {
			every += inject.Size(text)
		}
	}
	add("") // the start of the session
	for i, prompt := range prompts {
		add(prompt)
		if i == len(prompts)/2 {
			session.ForgetTold(d, "s")
			add("") // after the compaction
		}
	}
	return told, every
}
