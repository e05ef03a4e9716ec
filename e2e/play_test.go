//go:build e2e

package e2e

import (
	"context"
	"strings"
	"sync"
	"time"

	"guardrails/setup/claude/fakemodel"
	"guardrails/setup/claude/session"
)

const prompt = "implement the worker pool"

// plenty is the time limit of a session. Most sessions take two seconds.
const plenty = 2 * time.Minute

func (s *stage) options(model *fakemodel.Model) session.Options {
	return session.Options{
		Client: s.client, Project: s.project, Home: s.home, Model: model.URL(), Mode: "acceptEdits",
		Env: []string{"GUARDRAILS_CACHE_DIR=" + s.run, "TMPDIR=" + s.base + "/tmp", anyPort, "PATH=" + s.bin + ":/usr/local/bin:/usr/bin:/bin"},
		Agents: map[string]session.Agent{
			"backend":  {Description: "works on the backend", Prompt: "You work on the backend."},
			"frontend": {Description: "works on the frontend", Prompt: "You work on the frontend."},
		},
	}
}

// model() starts a scripted model. If the client sends a request that does not fit the script, the test fails.
func (s *stage) model(steps []fakemodel.Step) *fakemodel.Model {
	s.t.Helper()
	model, err := fakemodel.Start(steps)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := model.Err(); err != nil {
			s.t.Error(err)
		}
		_ = model.Close()
	})
	return model
}

// play() runs one headless session. It returns the model, which has recorded the requests of the client.
func (s *stage) play(steps ...fakemodel.Step) *fakemodel.Model {
	s.t.Helper()
	model, _ := s.headless(steps...)
	return model
}

// headless() is like play(), but it also returns the output of the client.
func (s *stage) headless(steps ...fakemodel.Step) (*fakemodel.Model, *session.Transcript) {
	s.t.Helper()
	model := s.model(steps)
	transcript, err := s.session(model)
	if err != nil {
		s.t.Fatal(err)
	}
	return model, transcript
}

func (s *stage) session(model *fakemodel.Model) (*session.Transcript, error) {
	o := s.options(model)
	o.Prompt, o.Allowed = prompt, []string{"Bash", "Write", "Edit", "mcp__probe"}
	ctx, cancel := context.WithTimeout(s.t.Context(), plenty)
	defer cancel()
	return session.Headless(ctx, o)
}

// scene is a stage with the script of the session that runs on it.
type scene struct {
	s     *stage
	steps []fakemodel.Step
}

// playBeside runs several headless sessions at the same time, each with its own model.
func playBeside(scenes ...scene) []*fakemodel.Model {
	models := make([]*fakemodel.Model, len(scenes))
	var playing sync.WaitGroup
	for i, on := range scenes {
		models[i] = on.s.model(on.steps)
		playing.Go(func() {
			if _, err := on.s.session(models[i]); err != nil {
				on.s.t.Error(err)
			}
		})
	}
	playing.Wait()
	return models
}

// result() returns the result of a call that the model received.
func (s *stage) result(m *fakemodel.Model, id string) fakemodel.Block {
	s.t.Helper()
	block, ok := m.ToolResult(id)
	if !ok {
		s.t.Fatalf("the model got no result for %s", id)
	}
	return block
}

// wantResults checks that the result of each call contains the wanted text. If the wanted text is "", the call must
// have succeeded.
func (s *stage) wantResults(m *fakemodel.Model, want map[string]string) {
	s.t.Helper()
	for id, part := range want {
		got := s.result(m, id)
		if got.Failed != (part != "") || !strings.Contains(got.Text, part) {
			s.t.Errorf("%s: the model read %q (failed: %v), want %q", id, got.Text, got.Failed, part)
		}
	}
}

// terminal is an interactive session. If a method waits for a text and the screen does not show the text, the test
// fails.
type terminal struct {
	*session.Interactive
	s     *stage
	model *fakemodel.Model
	ctx   context.Context
}

func (s *stage) terminal(steps ...fakemodel.Step) *terminal {
	s.t.Helper()
	model := s.model(steps)
	return s.open(model, s.options(model))
}

func (s *stage) open(model *fakemodel.Model, o session.Options) *terminal {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), plenty)
	s.t.Cleanup(cancel)
	i, err := session.Start(ctx, o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = i.Close() })
	return &terminal{Interactive: i, s: s, model: model, ctx: ctx}
}

func (t *terminal) must(err error) {
	t.s.t.Helper()
	if err != nil {
		t.s.t.Fatal(err)
	}
}

// typePrompt types a prompt and waits until the screen shows a text.
func (t *terminal) typePrompt(prompt, shown string) {
	t.s.t.Helper()
	t.must(t.Type(t.ctx, prompt))
	t.shows(shown)
}

func (t *terminal) shows(text string) {
	t.s.t.Helper()
	t.must(t.WaitFor(t.ctx, text))
}

func (t *terminal) chooses(option string) {
	t.s.t.Helper()
	t.must(t.Choose(t.ctx, option))
}

// quitClient quits the client as a person would.
func (t *terminal) quitClient() {
	t.s.t.Helper()
	t.must(t.Type(t.ctx, "/exit"))
	t.must(t.WaitEnd(t.ctx))
}
