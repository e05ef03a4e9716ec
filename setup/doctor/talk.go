package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/service/detectors"
	"guardrails/setup/claude/fakemodel"
	driver "guardrails/setup/claude/session"
)

// A talk is a session in which a detector shows the user a line. In headless sessions, the detectors show nothing. So
// doctor runs the client for a talk in the same way as an editor does.
//
// A talk has a runtime folder of its own. The prompts of a talk must not count as work of the user.
type talk struct {
	canary  string
	prompts []string
	// The field "line" is a text that the user must be shown.
	line string
	// The field "worked" says how long the user has worked before the first prompt.
	worked time.Duration
}

// talks() returns the talks of the detectors that are switched on.
func (x *Examination) talks() []talk {
	const again, sure = "does the canary of guardrails doctor sing?", "am I sure that the canary of guardrails doctor sings?"
	var list []talk
	for _, d := range []struct {
		mode string
		talk
	}{
		{x.detectors.Rumination, talk{"a line about a repeated question", []string{again, again, again, again}, "You already asked this", 0}},
		{x.detectors.Sycophancy, talk{"a line about reassurance", []string{sure, sure, sure}, "whether the same decision", 0}},
		{x.detectors.Hyperfocus, talk{"a line about a long session", []string{again}, "You have worked for", 100 * time.Minute}},
	} {
		if isOn(d.mode) {
			list = append(list, d.talk)
		}
	}
	return list
}

// unsaid() returns "" if a talk showed the line of its detector, and otherwise what is wrong.
func (w *observation) unsaid(t *talk) string {
	if strings.Contains(w.lines[t.canary], t.line) {
		return ""
	}
	return "the line was not shown"
}

// talk() runs a talk, which is a session in which a detector shows the user a line.
func (s *stage) talk(ctx context.Context, w *observation, t *talk) error {
	folder := filepath.Join(s.base, "talk", t.canary)
	cache := product.VariableCache + "=" + folder
	if err := s.prepare(t, folder); err != nil {
		return err
	}
	if s.x.client == nil {
		env := []string{cache, product.VariableEntrypoint + "=" + driver.EditorClient}
		for _, text := range t.prompts {
			w.lines[t.canary] += s.send(ctx, w, act{wire.UserPromptSubmit, "", map[string]any{"prompt": text}, env}).message
		}
		return nil
	}
	shown, err := s.driveTalk(ctx, t, cache)
	w.lines[t.canary] = shown
	return err
}

// prepare() sets the clock that says how long the user has worked.
func (s *stage) prepare(t *talk, folder string) error {
	if t.worked == 0 {
		return nil
	}
	d, err := private.Runtime(func(name string) string {
		return map[string]string{product.VariableHome: s.home, product.VariableCache: folder}[name]
	})
	if err == nil {
		now := s.x.Now()
		err = detectors.SetClock(d, now.Add(-t.worked), now)
	}
	if err != nil {
		return fmt.Errorf("cannot set the clock of a session: %w", err)
	}
	return nil
}

// driveTalk runs a talk in the client. It returns the lines that the hooks told the client to show.
func (s *stage) driveTalk(ctx context.Context, t *talk, cache string) (shown string, err error) {
	model, err := fakemodel.Start(fakemodel.Thread{})
	if err != nil {
		return "", err
	}
	transcript, err := driver.Headless(ctx, driver.Options{
		Client: s.x.client.Path, Project: s.project, Home: s.home, Model: model.URL(), Prompt: t.prompts[0], Next: t.prompts[1:],
		Editor: true, Env: append(s.environment(), cache),
	})
	if transcript != nil {
		for _, h := range transcript.Hooks(wire.UserPromptSubmit) {
			shown += understood([]byte(h.Stdout), "").message
		}
	}
	return shown, errors.Join(err, model.Err(), model.Close())
}
