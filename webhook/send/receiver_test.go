package send_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/webhook"
	"guardrails/webhook/send"
)

const page = "../../docs/webhooks.md"

// receivers() returns the example programs in the documentation. The keys of the result are the names of their files.
func receivers(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	pattern := regexp.MustCompile("(?s)<!-- receiver: (\\S+) -->\n```[a-z]+\n(.*?)```\n")
	for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = m[2]
	}
	return out
}

// start() starts a receiver and returns its URL.
func start(t *testing.T, name, program, secret string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	command := map[string][]string{".py": {"python3", file}, ".mjs": {"node", file}, ".go": {file + ".exe"}}[filepath.Ext(name)]
	if filepath.Ext(name) == ".go" {
		build := exec.Command("go", "build", "-o", command[0], file)
		build.Dir = filepath.Dir(file)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret, "PORT=0")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	lines := bufio.NewReader(out)
	first, _ := lines.ReadString('\n')
	port, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if !ok {
		_ = c.Wait()
		t.Fatalf("%s does not listen: %s%s", name, first, said.String())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return "http://127.0.0.1:" + port + "/"
}

// The receivers share no code with the package that signs requests.
func TestTheReceiversInTheDocumentationCheckSignatures(t *testing.T) {
	programs := receivers(t)
	if len(programs) != 3 {
		t.Fatalf("%s has %d receivers, want 3", page, len(programs))
	}
	const secret = "whsec_0123456789abcdef"
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := start(t, name, program, secret)
			for what, c := range map[string]struct {
				age     time.Duration
				secrets []store.Secret
				want    int
			}{
				"genuine":                      {0, []store.Secret{{Text: secret}}, 204},
				"after a rotation":             {0, []store.Secret{{Text: "whsec_new"}, {Text: secret}}, 204},
				"with another secret":          {0, []store.Secret{{Text: "whsec_other"}}, 400},
				"without a signature":          {0, nil, 400},
				"almost five minutes old":      {4*time.Minute + 30*time.Second, []store.Secret{{Text: secret}}, 204},
				"more than five minutes old":   {6 * time.Minute, []store.Secret{{Text: secret}}, 400},
				"more than five minutes ahead": {-6 * time.Minute, []store.Secret{{Text: secret}}, 400},
			} {
				s := send.New("1.2.3", func() time.Time { return time.Now().Add(-c.age) }, nil)
				s.Timeout = time.Minute
				e := webhook.NewTest("Zürich", "x", time.Now())
				d := e.Delivery("wh_1", time.Now())
				s.Try(t.Context(), &store.Endpoint{URL: url, Format: "json", Secrets: c.secrets}, &d)
				if d.Tries[0].Status != c.want {
					t.Errorf("%s: got %+v, want %d", what, d.Tries[0], c.want)
				}
			}
			refusesChangedBody(t, url, secret)
		})
	}
}

func refusesChangedBody(t *testing.T, url, secret string) {
	t.Helper()
	for header, body := range map[string]string{
		webhook.Sign([]byte(`{"a":1}`), time.Now(), secret): `{"a":2}`,
		"t=x,v1=":                 `{"a":1}`,
		"v1=,t=":                  `{"a":1}`,
		"t=99999999999999999999,": `{"a":1}`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(webhook.HeaderSignature, header)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: got %d", header, answer.StatusCode)
		}
	}
}
