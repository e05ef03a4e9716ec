package doctor

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
)

func TestDoctorSaysWhichModelIsAskedWithoutAskingIt(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const url = "https://models.invalid"
	for _, c := range []struct {
		name   string
		model  config.Model
		guard  string
		state  State
		detail string
	}{
		{"none", config.Model{}, config.Off, OK, "sends nothing to a language model; output_guard off"},
		{"none, but the guard is on", config.Model{}, config.Observe, Warning, "output_guard (observe) cannot check answers"},
		{
			"a key in a file",
			config.Model{URL: url, Name: "small", KeyFile: key, Audit: true, MaxCalls: 600},
			config.Observe, OK,
			"small at " + url + ", asked whether an answer is safe; at most 600 calls an hour; output_guard observe",
		},
		{
			"both uses",
			config.Model{URL: url, Name: "small", KeyEnv: "MODEL_KEY", Audit: true, Context: true, ContextTimeout: 1},
			config.Off, OK,
			"asked what a prompt is about and whether an answer is safe",
		},
		{"no use", config.Model{URL: url, Name: "small", KeyFile: key}, config.Off, OK, "is not asked, because its settings \"context\" and \"audit\" are both off"},
		{"no file", config.Model{URL: url, Name: "small", KeyFile: key + "2", Audit: true}, config.Off, Broken, "the key cannot be read: "},
		{"no variable", config.Model{URL: url, Name: "small", KeyEnv: "OTHER", Audit: true}, config.Off, Broken, "the variable OTHER is not set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &Examination{Options: Options{Env: func(name string) string {
				return map[string]string{"MODEL_KEY": "sesame"}[name]
			}}}
			x.checkModel(&config.Config{Model: c.model, OutputGuard: config.OutputGuard{Mode: c.guard}})
			got := x.Checks[0]
			if got.State != c.state || !strings.Contains(got.Detail, c.detail) || strings.Contains(got.Detail, "sesame") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestDoctorLiveAsksTheModelOneQuestion(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		want         string
	}{
		{"no model", "", ""},
		{"an answer", `{"content":[{"type":"tool_use","name":"report_task","input":{"domain":"P01","action":"test"}}]}`, "ok FIRED"},
		{
			"another answer", `{"content":[{"type":"text","text":"P01"}]}`,
			"broken NOT FIRED: the model's answer cannot be used: it does not use the tool report_task",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, c.answer) }))
			defer server.Close()
			base := t.TempDir()
			if c.answer != "" {
				folder := filepath.Join(base, "config", "guardrails")
				text := "model: {url: '" + server.URL + "', name: small, timeout_ms: 10000}\n"
				if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "guardrails.yaml"), []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			x := &Examination{root: base, Options: Options{Now: time.Now, Env: func(name string) string {
				return map[string]string{"XDG_CONFIG_HOME": filepath.Join(base, "config"), "XDG_STATE_HOME": filepath.Join(base, "state")}[name]
			}}}
			got := ""
			for _, check := range x.ProveModel(t.Context()) {
				got += string(check.State) + " " + check.Detail
			}
			if got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
