package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/setup"
)

// The type "stage" is the temporary project in which the canaries run. All its files are in one folder.
type stage struct {
	x                   *Examination
	base                string
	project, home, temp string
	// The field "files" has copies of the user's settings files.
	files []settingsFile
	// The field "session" is the id of the session. The field "runtime" is the folder for the hooks' files.
	session, runtime string
	// The fields "line" and "roleLine" are the random words in the guidelines for the main thread and for the subagent.
	line, roleLine string
}

func (x *Examination) newStage() (*stage, error) {
	base, err := os.MkdirTemp("", "guardrails-doctor-")
	if err != nil {
		return nil, fmt.Errorf("no temporary folder can be made: %w; set TMPDIR to a folder in which you may write", err)
	}
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	s := &stage{
		x: x, base: base, project: filepath.Join(base, "project"), home: filepath.Join(base, "home"),
		temp:    filepath.Join(base, "tmp"),
		session: newID(), runtime: runtimeDir(x.Env), line: rand.Text(), roleLine: rand.Text(),
	}
	if err := s.build(); err != nil {
		return nil, errors.Join(err, s.clear())
	}
	return s, nil
}

// newID returns a random UUID, which the client requires as a session id.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // rand.Read never returns an error
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// runtimeDir returns the path of the user's runtime folder, even if this folder cannot be used.
func runtimeDir(env func(string) string) string {
	d, err := private.Runtime(env)
	if err == nil {
		return filepath.Clean(d.Path("."))
	}
	if unsafe, ok := errors.AsType[*private.Unsafe](err); ok {
		return unsafe.Path
	}
	if failed, ok := errors.AsType[*private.Failed](err); ok {
		return failed.Path
	}
	return ""
}

func (s *stage) build() error {
	words := strings.NewReplacer("LINE", s.line, "ROLE", s.roleLine)
	files := map[string]string{
		"project/.git/HEAD":                      "ref: refs/heads/main\n",
		"project/.claude/guardrails.yaml":        s.settings(),
		"project/.claude/guardrails/doctor.yaml": words.Replace(guidelines),
	}
	for _, f := range s.x.files {
		copied, err := copyOf(&f)
		if err != nil {
			return err
		}
		if copied.err == nil {
			s.files = append(s.files, copied)
			files[s.place(f.Scope)] = string(copied.text)
		}
	}
	if s.x.direct() {
		files["project/.mcp.json"] = onlyServer(s.x.root)
	}
	delete(files, "") // the client reads the administrator's settings anyway
	for _, dir := range []string{s.home, s.temp, s.in("denied"), s.in("asked"), s.in("role")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("cannot create the temporary project: %w", err)
		}
	}
	for name, text := range files {
		if err := write(filepath.Join(s.base, filepath.FromSlash(name)), text); err != nil {
			return fmt.Errorf("cannot create the temporary project: %w", err)
		}
	}
	return nil
}

// place() returns the path to which the settings file of a scope is copied.
func (s *stage) place(scope setup.Scope) string {
	switch scope {
	case setup.User:
		return "home/.claude/settings.json"
	case setup.Project:
		return "project/.claude/settings.json"
	case setup.Local:
		return "project/.claude/settings.local.json"
	}
	return ""
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func (s *stage) in(name string) string { return filepath.Join(s.project, filepath.FromSlash(name)) }

func (s *stage) exists(name string) bool {
	_, err := os.Lstat(s.in(name))
	return err == nil
}

// settings() returns the settings of the temporary project. The detectors have the modes of the user's project.
func (s *stage) settings() string {
	d, mode := &s.x.detectors, func(mode string) string { return cmp.Or(mode, config.Off) }
	return fmt.Sprintf("packs: []\ndisplay: {mask: on}\n"+
		"detectors: {rumination: %s, hyperfocus: %s, sycophancy: %s, tool_loop: %s}\n",
		mode(d.Rumination), mode(d.Hyperfocus), mode(d.Sycophancy), mode(d.ToolLoop))
}

func (s *stage) act(ctx context.Context) (w *observation, err error) {
	if s.x.client != nil {
		w, err = s.drive(ctx)
	} else {
		w = s.command(ctx)
	}
	for _, t := range s.x.talks() {
		if err == nil {
			err = s.talk(ctx, w, &t)
		}
	}
	for _, t := range s.x.trials() {
		if err == nil {
			err = s.try(ctx, w, &t)
		}
	}
	return w, err
}

// unseen() returns a text that names those of the given events for which no hook ran. If hooks ran for all given
// events, it returns "".
func (s *stage) unseen(events []string) string {
	if s.x.sessions == nil {
		return "the folder for sessions cannot be used"
	}
	var missing []string
	for _, event := range events {
		if _, seen := s.x.sessions.Seen(session.BeatName(s.session, event)); !seen {
			missing = append(missing, event)
		}
	}
	if missing == nil {
		return ""
	}
	return "no sign of " + strings.Join(missing, ", ")
}

// clear() removes everything that the session created.
func (s *stage) clear() error {
	var problems []error
	if d := s.x.sessions; d != nil {
		names, err := d.List(session.Prefix(s.session))
		problems = append(problems, err)
		for _, name := range append(names, session.CacheName(session.Key(s.session, ""))) {
			_, err := d.Remove(name)
			problems = append(problems, err)
		}
	}
	return errors.Join(append(problems, os.RemoveAll(s.base))...)
}
