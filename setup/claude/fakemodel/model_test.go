package fakemodel_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// talk plays a client: it keeps the conversation and sends all of it with each request.
type talk struct {
	t        *testing.T
	model    *fakemodel.Model
	tools    []string
	messages []any
}

func newTalk(t *testing.T, model *fakemodel.Model, prompt string) *talk {
	c := &talk{t: t, model: model, tools: []string{"Bash", "Write", "Agent"}}
	c.say("user", prompt)
	return c
}

func (c *talk) say(role string, content any) {
	c.messages = append(c.messages, map[string]any{"role": role, "content": content})
}

// reply is the model's answer to a request without a stream.
type reply struct {
	Content []struct {
		Type, Text, ID, Name string
		Input                json.RawMessage
	} `json:"content"`
	StopReason string `json:"stop_reason"`
}

// ask() sends the conversation to the model and appends the answer to the conversation.
func (c *talk) ask() reply {
	c.t.Helper()
	status, body := c.post(false)
	if status != http.StatusOK {
		c.t.Fatalf("%d %s", status, body)
	}
	var r reply
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		c.t.Fatal(err)
	}
	c.say("assistant", r.Content)
	return r
}

func (c *talk) post(stream bool) (int, string) {
	c.t.Helper()
	var tools []any
	for _, name := range c.tools {
		tools = append(tools, map[string]string{"name": name})
	}
	body, err := json.Marshal(map[string]any{"model": "m", "stream": stream, "messages": c.messages, "tools": tools})
	if err != nil {
		c.t.Fatal(err)
	}
	return post(c.model, "/v1/messages?beta=true", string(body))
}

func post(model *fakemodel.Model, path, body string) (int, string) {
	w := httptest.NewRecorder()
	model.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func TestEachTurnTakesOneStepAndThenTheModelIsIdle(t *testing.T) {
	model := fakemodel.New(fakemodel.Thread{
		fakemodel.Use(fakemodel.Bash("ls").Named("first"), fakemodel.Write("/a", "x")),
		fakemodel.Say("that was all"),
	})
	c := newTalk(t, model, "begin")
	first := c.ask()
	if len(first.Content) != 2 || first.Content[0].ID != "first" || first.Content[1].ID != "toolu_main_0_1" || first.StopReason != "tool_use" {
		t.Errorf("the first turn is %+v", first)
	}
	if got := string(first.Content[1].Input); got != `{"content":"x","file_path":"/a"}` {
		t.Errorf("the input is %s", got)
	}
	second := c.ask()
	if len(second.Content) != 1 || second.Content[0].Text != "that was all" || second.StopReason != "end_turn" {
		t.Errorf("the second turn is %+v", second)
	}
	if third := c.ask(); third.Content[0].Text != fakemodel.Idle {
		t.Errorf("the third turn is %+v", third)
	}
	if err := model.Err(); err != nil {
		t.Error(err)
	}
}

func TestSubagentRequestsAreRecognizedByTheirPrompt(t *testing.T) {
	model := fakemodel.New(fakemodel.Thread{
		fakemodel.Use(
			fakemodel.Agent("backend", "do the backend", fakemodel.Say("backend done")).Named("b"),
			fakemodel.Background("frontend", "do the frontend", fakemodel.Say("frontend done")).Named("f"),
			fakemodel.Agent("idler", "do nothing").Named("i"),
		),
		fakemodel.Say("all done"),
	})
	parent := newTalk(t, model, "begin")
	parent.ask()
	for id, c := range map[string]struct{ prompt, says string }{
		"b": {"do the backend", "backend done"}, "f": {"  do the frontend\n", "frontend done"}, "i": {"do nothing", fakemodel.Idle},
	} {
		if got := newTalk(t, model, c.prompt).ask().Content[0].Text; got != c.says {
			t.Errorf("%s says %q", id, got)
		}
		if got := model.Requests(id); len(got) != 1 || got[0].Turn != 0 {
			t.Errorf("the requests of %s are %+v", id, got)
		}
	}
	if got := parent.ask().Content[0].Text; got != "all done" {
		t.Errorf("the parent says %q", got)
	}
	if got := len(model.Requests(fakemodel.MainThread)); got != 2 {
		t.Errorf("the parent had %d turns", got)
	}
}

func TestRequestWithoutToolsIsNotPartOfTheScript(t *testing.T) {
	model := fakemodel.New(fakemodel.Thread{fakemodel.Say("hello")})
	side := newTalk(t, model, "find a title")
	side.tools = nil
	if got := side.ask().Content[0].Text; got != "{}" {
		t.Errorf("the side request got %q", got)
	}
	if got := newTalk(t, model, "begin").ask().Content[0].Text; got != "hello" {
		t.Errorf("the main thread got %q", got)
	}
	if len(model.Requests(fakemodel.SideThread)) != 1 || len(model.All()) != 2 {
		t.Errorf("the requests are %+v", model.All())
	}
}

func TestUnexpectedRequestIsAProblem(t *testing.T) {
	t.Run("two subagents with the same prompt", func(t *testing.T) {
		model := fakemodel.New(fakemodel.Thread{fakemodel.Use(fakemodel.Agent("a", "the same"), fakemodel.Agent("b", "the same"))})
		newTalk(t, model, "begin").ask()
		wantProblem(t, model, "give each its own")
	})
	t.Run("a subagent that was not started", func(t *testing.T) {
		model := fakemodel.New(nil)
		c := newTalk(t, model, "who am I")
		c.messages = append([]any{map[string]any{"role": "system", "content": "x-anthropic-billing-header: cc_is_subagent=true"}}, c.messages...)
		c.ask()
		wantProblem(t, model, "did not start")
	})
	t.Run("a request that cannot be read", func(t *testing.T) {
		for _, body := range []string{"", "[]", `{"messages":[{"role":"user","content":7}]}`, `{"system":{}}`} {
			model := fakemodel.New(nil)
			if status, _ := post(model, "/v1/messages", body); status != http.StatusBadRequest {
				t.Errorf("%s: status %d", body, status)
			}
			wantProblem(t, model, "request")
		}
	})
}

func wantProblem(t *testing.T, model *fakemodel.Model, part string) {
	t.Helper()
	if err := model.Err(); err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("the problem is %v, want %q", err, part)
	}
}

func TestModelListensOnLoopbackAndAnswersOnlyMessages(t *testing.T) {
	model, err := fakemodel.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := model.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !strings.HasPrefix(model.URL(), "http://127.0.0.1:") {
		t.Errorf("the model listens on %s", model.URL())
	}
	response, err := http.Get(model.URL() + "/v1/messages")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("GET is answered with %s", response.Status)
	}
	if status, _ := post(model, "/v1/complete", "{}"); status != http.StatusNotFound {
		t.Errorf("another path is answered with %d", status)
	}
}
