package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/model"
)

// step is what the scripted server does with one request.
type step func(w http.ResponseWriter, r *http.Request)

// script is a server on this computer that plays a model. After the last step, it repeats the last step.
type script struct {
	t      *testing.T
	server *httptest.Server
	lock   sync.Mutex
	steps  []step
	asked  []asked
}

// The type "asked" is a request that the server got.
type asked struct {
	header http.Header
	path   string
	body   struct {
		Model       string
		MaxTokens   int `json:"max_tokens"`
		Temperature *float64
		System      string
		Messages    []struct{ Role, Content string }
		Tools       []struct {
			Name, Description string
			InputSchema       json.RawMessage `json:"input_schema"`
		}
		ToolChoice struct{ Type, Name string } `json:"tool_choice"`
	}
}

func newScript(t *testing.T, steps ...step) *script {
	t.Helper()
	s := &script{t: t, steps: steps}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

func (s *script) serve(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	got := asked{header: r.Header, path: r.Method + " " + r.URL.Path}
	if err == nil {
		err = json.Unmarshal(text, &got.body)
	}
	s.lock.Lock()
	s.asked = append(s.asked, got)
	now := s.steps[min(len(s.asked), len(s.steps))-1]
	s.lock.Unlock()
	if err != nil {
		s.t.Errorf("the request cannot be read: %v\n%s", err, text)
	}
	now(w, r)
}

func (s *script) requests() []asked {
	s.lock.Lock()
	defer s.lock.Unlock()
	return append([]asked(nil), s.asked...)
}

// patience is longer than any test needs.
const patience = time.Minute

// client returns a client of the server. The functions change its options.
func (s *script) client(change ...func(*model.Options)) *model.Client {
	s.t.Helper()
	o := model.Options{
		URL: s.server.URL, Name: "small", Key: func() (string, error) { return "sesame", nil }, Timeout: patience,
		Take: func() error { return nil }, Mask: func(text string) string { return text }, Now: time.Now,
	}
	for _, f := range change {
		f(&o)
	}
	c := model.New(o)
	s.t.Cleanup(c.Close)
	return c
}

// short() limits the time of a question, so that a test of a timeout does not take long.
func short(o *model.Options) { o.Timeout = 100 * time.Millisecond }

func status(code int, header ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"x","message":"secret details"}}`)
	}
}

func text(body string) step {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// uses() answers with the arguments of a tool.
func uses(tool, arguments string) step {
	return text(`{"type":"message","role":"assistant","content":[{"type":"text","text":"I use the tool."},` +
		`{"type":"tool_use","id":"t1","name":"` + tool + `","input":` + arguments + `}],"stop_reason":"tool_use"}`)
}

// hangs() sends the beginning of an answer, and then nothing until the client closes the connection.
func hangs(begin string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		if begin != "" {
			_, _ = io.WriteString(w, begin)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

// cut() closes the connection in the middle of the body.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"content":[`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// reset() closes the connection before an answer.
func reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func question() model.Question {
	return model.Question{
		Use: model.ForAudit, System: "Judge.", Task: "Is it safe?", Text: "the answer",
		Tool: model.Tool{Name: "judge", About: "Your verdict", Fields: []model.Field{
			{Name: "is_safe", IsFlag: true},
			{Name: "reason", Most: 20},
			{Name: "kind", Texts: []string{"a", "b"}, OrNull: true},
		}},
	}
}

const good = `{"is_safe": true, "reason": "fine", "kind": null}`

func long(n int) string { return strings.Repeat("x", n) }
