package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"guardrails/internal/product"
	"guardrails/setup/claude/fakemodel"
	driver "guardrails/setup/claude/session"
)

const prompt = "guardrails doctor: run the test calls"

// drive() runs one session of the real client.
func (s *stage) drive(ctx context.Context) (*observation, error) {
	model, err := fakemodel.Start(s.script())
	if err != nil {
		return newObservation(), err
	}
	t, err := driver.Headless(ctx, driver.Options{
		Client: s.x.client.Path, Project: s.project, Home: s.home, Model: model.URL(), Prompt: prompt, Mode: "acceptEdits",
		Allowed: []string{"Bash", "Write"}, Args: []string{"--session-id", s.session}, Env: s.environment(),
		Agents: map[string]driver.Agent{role: {
			Description: "is watched by guardrails doctor",
			Prompt:      "You are watched by guardrails doctor.",
		}},
	})
	w := newObservation()
	w.look(t, model)
	return w, errors.Join(err, model.Err(), model.Close())
}

// script() returns the steps of the model. The steps write only in the temporary project, so they do no harm if no hook
// stops them.
func (s *stage) script() fakemodel.Thread {
	steps := fakemodel.Thread{
		fakemodel.Use(fakemodel.Write(s.in(deniedFile), "canary\n").Named(deniedCall)),
		fakemodel.Use(fakemodel.Bash("echo canary > " + askedFile).Named(askedCall)),
		fakemodel.Use(fakemodel.Bash("echo canary > " + allowedFile).Named(allowedCall)),
		fakemodel.Use(fakemodel.Bash("false").Named(failedCall)),
		fakemodel.Use(fakemodel.Agent(role, "Run the test call of the role.",
			fakemodel.Use(fakemodel.Write(s.in(roleFile), "canary\n").Named(roleCall)),
			fakemodel.Say("done"),
		).Named(agentCall)),
	}
	for _, id := range s.loop() {
		steps = append(steps, fakemodel.Use(fakemodel.Read(s.in(missingFile)).Named(id)))
	}
	return append(steps, fakemodel.Say("done by "+address))
}

// loop() returns the calls that are a loop, if the detector for loops is on.
func (s *stage) loop() []string {
	if isOn(s.x.detectors.ToolLoop) {
		return loopCalls()
	}
	return nil
}

// environment() returns the variables for the hooks. VariableCache names the user's real folder for sessions. The other
// folders for files are temporary.
func (s *stage) environment() []string {
	path, _ := s.x.searchPath()
	return []string{
		"PATH=" + path, "TMPDIR=" + s.temp, "CLAUDE_CODE_TMPDIR=" + s.temp, product.VariableCache + "=" + s.runtime,
	}
}

// look() records what the two models received and what the hooks reported.
func (w *observation) look(t *driver.Transcript, model *fakemodel.Model) {
	for _, r := range model.All() {
		text := strings.Join(r.Said(), "\n")
		switch r.Thread {
		case fakemodel.MainThread:
			w.main += text
		case agentCall:
			w.subagent += text
		}
	}
	calls := []string{deniedCall, askedCall, allowedCall, failedCall, agentCall, roleCall}
	for _, call := range append(calls, loopCalls()...) {
		if block, ok := model.ToolResult(call); ok {
			w.results[call] = block.Text
		}
	}
	if t == nil {
		return
	}
	if t.Result != nil {
		w.shown = t.Result.Text
	}
	for _, e := range t.Events {
		if e.Hook != nil {
			w.complain(e.Hook)
		}
	}
}

func (w *observation) complain(h *driver.Hook) {
	switch {
	case h.ExitCode == nil && h.Outcome == "success": // an entry that calls the server has no exit code
	case h.ExitCode == nil:
		w.hooks[h.Event] = append(w.hooks[h.Event], "ended without an exit code: "+excerpt(h.Outcome+" "+h.Stderr))
	case *h.ExitCode != 0 && *h.ExitCode != 2:
		w.hooks[h.Event] = append(w.hooks[h.Event], fmt.Sprintf("exit code %d: %s", *h.ExitCode, excerpt(h.Stderr)))
	}
}
