package private_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

func TestRuntimeFolderFollowsTheEnvironment(t *testing.T) {
	root := t.TempDir()
	cache, runtime, tmp := filepath.Join(root, "a", "cache"), filepath.Join(root, "run"), filepath.Join(root, "tmp")
	must(t, os.Mkdir(runtime, 0o700))
	for _, c := range []struct {
		name      string
		variables map[string]string
		want      string
	}{
		{"GUARDRAILS_CACHE_DIR", map[string]string{"GUARDRAILS_CACHE_DIR": cache, "XDG_RUNTIME_DIR": runtime}, cache},
		{"XDG_RUNTIME_DIR", map[string]string{"XDG_RUNTIME_DIR": runtime}, filepath.Join(runtime, "guardrails")},
		{"the temporary folder", nil, product.TemporaryRuntimeDir(from(map[string]string{"TMPDIR": tmp, "TMP": tmp}))},
		{
			"a relative XDG_RUNTIME_DIR",
			map[string]string{"XDG_RUNTIME_DIR": "run"},
			product.TemporaryRuntimeDir(from(map[string]string{"TMPDIR": tmp, "TMP": tmp})),
		},
		{
			"a missing XDG_RUNTIME_DIR",
			map[string]string{"XDG_RUNTIME_DIR": filepath.Join(root, "none")},
			product.TemporaryRuntimeDir(from(map[string]string{"TMPDIR": tmp, "TMP": tmp})),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			variables := map[string]string{"TMPDIR": tmp, "TMP": tmp}
			for name, value := range c.variables {
				variables[name] = value
			}
			for range 2 { // the first run creates the folder, the second finds it
				d, err := private.Runtime(from(variables))
				must(t, err)
				if d.Path("x") != filepath.Join(c.want, "x") {
					t.Errorf("got %s", d.Path(""))
				}
			}
		})
	}
	if _, err := os.Lstat(filepath.Join(root, "none")); err == nil {
		t.Error("the missing runtime folder was created")
	}
}

func TestTemporaryFolderIsAlwaysAbsolute(t *testing.T) {
	for _, base := range []string{t.TempDir(), "", "relative"} {
		path := product.TemporaryRuntimeDir(from(map[string]string{"TMPDIR": base, "TMP": base}))
		if !filepath.IsAbs(path) || !strings.HasPrefix(filepath.Base(path), "guardrails") {
			t.Errorf("%q: got %s", base, path)
		}
	}
}

func TestRelativeFolderIsRefused(t *testing.T) {
	_, err := private.Runtime(from(map[string]string{"GUARDRAILS_CACHE_DIR": "cache"}))
	unsafe, ok := errors.AsType[*private.Unsafe](err)
	if !ok || unsafe.Error() != "cache is not an absolute path; start it with /" {
		t.Errorf("got %v", err)
	}
}

func TestFileInPlaceOfTheFolderIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	path := filepath.Join(file, "guardrails")
	_, err := private.Runtime(from(map[string]string{"GUARDRAILS_CACHE_DIR": path}))
	if failed, ok := errors.AsType[*private.Failed](err); !ok || failed.Path != path || !strings.Contains(failed.Remedy, "GUARDRAILS_CACHE_DIR") {
		t.Errorf("got %v", err)
	}
}

func TestStateFolderFollowsTheEnvironment(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		name      string
		variables map[string]string
		want      string
	}{
		{"XDG_STATE_HOME", map[string]string{"XDG_STATE_HOME": root, "HOME": "/none"}, filepath.Join(root, "guardrails")},
		{"HOME", map[string]string{"HOME": root}, filepath.Join(root, ".local", "state", "guardrails")},
		{"a relative XDG_STATE_HOME", map[string]string{"HOME": root, "XDG_STATE_HOME": "x"}, filepath.Join(root, ".local", "state", "guardrails")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := private.StateDir(from(c.variables)); err != nil || got != c.want {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestStateFolderNeedsAHome(t *testing.T) {
	for _, home := range []string{"", "home"} {
		_, err := private.StateDir(from(map[string]string{"HOME": home}))
		const want = "the state folder cannot be found: HOME is not set to an absolute path; set HOME or XDG_STATE_HOME"
		if !errors.Is(err, private.ErrHome) || err.Error() != want {
			t.Errorf("HOME=%q: got %v", home, err)
		}
	}
}
