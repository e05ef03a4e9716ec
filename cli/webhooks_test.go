package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

func TestTheCommandsForWebhooks(t *testing.T) {
	answer := http.StatusNoContent
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(answer) }))
	defer receiver.Close()
	s := clitest.New(t, map[string]string{})
	s.Env["HOME"] = s.Root + "/home"
	run := func(line string, want app.ExitCode) string {
		t.Helper()
		stdout, stderr, code := s.Run(line)
		if code != want {
			t.Fatalf("%s: exit %d: %s%s", line, code, stdout, stderr)
		}
		return stdout + stderr
	}
	if said := run("guardrails webhooks list", app.Failed); !strings.Contains(said, "no store yet") {
		t.Errorf("without a store: %s", said)
	}
	var added struct{ ID, Secret, URL string }
	read(t, run("guardrails webhooks add "+receiver.URL+"/hook?key=k --event safety.* -o json", app.OK), &added)
	if !strings.HasPrefix(added.Secret, "whsec_") || strings.Contains(added.URL, "key") {
		t.Errorf("got %+v", added)
	}
	// Every example in the help is run with this webhook.
	id, delivery := regexp.MustCompile(`wh_[0-9a-f]+`), regexp.MustCompile(`dlv_[0-9a-f]+`)
	sent := delivery.FindString(run("guardrails webhooks test "+added.ID, app.OK))
	for _, c := range everyCommand() {
		if c.Parent() == nil || c.Parent().Name() != "webhooks" || c.Name() == "add" || c.Name() == "remove" {
			continue
		}
		for line := range strings.Lines(c.Example) {
			line = delivery.ReplaceAllString(id.ReplaceAllString(strings.TrimSpace(line), added.ID), sent)
			said := run(line, app.OK)
			if strings.Contains(said, added.Secret) || strings.Contains(said, "key=k") {
				t.Errorf("%s shows a secret: %s", line, said)
			}
		}
	}
	if said := run("guardrails webhooks deliveries "+added.ID, app.OK); !strings.Contains(said, "replay of "+sent) {
		t.Errorf("got %s", said)
	}
	answer = http.StatusTeapot
	if said := run("guardrails webhooks test "+added.ID, app.Failed); !strings.Contains(said, "status 418") {
		t.Errorf("got %s", said)
	}
	run("guardrails webhooks remove "+added.ID, app.OK)
	for _, verb := range []string{"test", "rotate", "enable", "remove"} {
		if said := run("guardrails webhooks "+verb+" "+added.ID, app.Failed); !strings.Contains(said, "there is no webhook") {
			t.Errorf("got %s", said)
		}
	}
	if said := run("guardrails webhooks list", app.OK); said != "0 webhooks\n" {
		t.Errorf("got %s", said)
	}
}

func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func TestWrongWebhooksAreRefused(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	s.Env["HOME"] = s.Root + "/home"
	for line, want := range map[string]string{
		"guardrails webhooks add http://example.com/":                     "use https",
		"guardrails webhooks add https://u:p@example.com/":                "a user name or a password",
		"guardrails webhooks add https://example.com/ --event everything": "is not an event",
		"guardrails webhooks add https://example.com/ --format teams":     "is not known",
	} {
		_, stderr, code := s.Run(line)
		if code != app.Failed || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
	for _, line := range []string{"guardrails webhooks", "guardrails webhooks send x", "guardrails webhooks add", "guardrails webhooks replay wh_1"} {
		if _, stderr, code := s.Run(line); code != app.Misused {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
}
