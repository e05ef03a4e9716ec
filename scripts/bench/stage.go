package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// The type "stage" has everything that the timed processes need: folders, copies of the programs, and a server on a
// socket.
type stage struct {
	// The field "dir" is a folder on the disk. The field "fast" is the folder that contains the runtime folders. It is
	// in memory if possible, because a session's runtime folder is usually in memory too.
	dir, fast string
	bin       string
	project   string
	empty     contest
	closing   []func()
	// The field "server" is the process id of the server.
	server int
}

// hooks() returns the names of the programs that the client runs as hooks.
func hooks() []string {
	return []string{"guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop"}
}

func newStage() (*stage, error) {
	s := &stage{}
	var err error
	if s.dir, err = s.folder(""); err != nil {
		return nil, err
	}
	if s.fast, err = s.folder("/dev/shm"); err != nil {
		if s.fast, err = s.folder(""); err != nil {
			return nil, err
		}
	}
	s.bin, s.project = filepath.Join(s.dir, "bin"), filepath.Join(s.dir, "project")
	for _, dir := range []string{s.bin, s.project, s.home(), s.runtime("warm"), s.runtime("served"), s.runtime("cold")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := s.buildEmpty(); err != nil {
		return nil, err
	}
	return s, s.copyPrograms()
}

func (s *stage) folder(base string) (string, error) {
	dir, err := os.MkdirTemp(base, "guardrails-bench-")
	if err == nil {
		s.closing = append(s.closing, func() { _ = os.RemoveAll(dir) })
	}
	return dir, err
}

func (s *stage) close() {
	for _, end := range s.closing {
		end()
	}
}

func (s *stage) home() string { return filepath.Join(s.dir, "home") }

// runtime() returns the path of a runtime folder, for XDG_RUNTIME_DIR.
func (s *stage) runtime(name string) string { return filepath.Join(s.fast, name) }

// env() returns the environment of a process. The parameter "runtime" is the name of the runtime folder that contains
// the process's session files.
func (s *stage) env(runtime string) []string { return s.envAt(s.home(), runtime) }

func (s *stage) envAt(home, runtime string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + s.runtime(runtime),
		"CLAUDE_PROJECT_DIR=" + s.project, "LANG=C.UTF-8", "TERM=dumb", "USER=dev", "SHELL=/bin/bash",
	}
}

// copyPrograms copies the programs for a run, and writes each program in one piece. The system loads more or fewer
// pages of a program at once, depending on where it placed the file in memory. This can change the time of a process by
// a tenth, so every run uses new copies.
func (s *stage) copyPrograms() error {
	from := map[string]string{"empty": filepath.Join(s.dir, "empty", "linked")}
	for _, name := range append(hooks(), "guardrails", "guardrails-server") {
		from[name] = filepath.Join("bin", name)
	}
	for name, file := range from {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("%w; run make build", err)
		}
		to := filepath.Join(s.bin, name)
		if err := os.WriteFile(to+".new", text, 0o700); err != nil {
			return err
		}
		// A server may still be running. The system does not allow overwriting the file of a running program, so rename the
		// new file.
		if err := os.Rename(to+".new", to); err != nil {
			return err
		}
	}
	return nil
}

// buildEmpty builds the empty program with the default options of "go build". The hooks are built by scripts/hooks.sh
// with other options, which make them start faster. So the comparison with the empty program includes the time that
// these options save.
func (s *stage) buildEmpty() error {
	source := filepath.Join(s.dir, "empty")
	if err := os.MkdirAll(source, 0o700); err != nil {
		return err
	}
	files := map[string]string{"go.mod": "module empty\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildmode=exe", "-ldflags", "-s -w", "-o", "linked", ".")
	cmd.Dir = source
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the empty program: %w\n%s", err, out)
	}
	s.empty = contest{name: "an empty Go program", argv: []string{filepath.Join(s.bin, "empty")}, env: s.env("warm")}
	return nil
}

// sizeResults compares the sizes of the programs with their budgets.
func sizeResults() ([]result, error) {
	budgets := map[string]float64{"guardrails": 25}
	for _, name := range hooks() {
		budgets[name] = 4
	}
	var out []result
	for _, name := range slices.Sorted(maps.Keys(budgets)) {
		info, err := os.Stat(filepath.Join("bin", name))
		if err != nil {
			return nil, fmt.Errorf("%w; run make build", err)
		}
		size := float64(info.Size()) / (1 << 20)
		out = append(out, result{name: "size of " + name, measured: size, budget: budgets[name], limit: budgets[name], unit: "MiB"})
	}
	return out, nil
}
