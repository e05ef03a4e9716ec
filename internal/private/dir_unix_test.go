//go:build unix

package private_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"guardrails/internal/private"
)

const nobody = 65534

// unsafeFolders returns functions that create something unsafe at the path of a folder.
func unsafeFolders() map[string]func(t *testing.T, path string) {
	return map[string]func(t *testing.T, path string){
		"is a symbolic link": func(t *testing.T, path string) {
			must(t, os.Mkdir(path+"-target", 0o700))
			must(t, os.Symlink(path+"-target", path))
		},
		"is not a folder": func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o600)) },
		"can be written by others, who may have left files in it": func(t *testing.T, path string) {
			must(t, os.Mkdir(path, 0o700))
			must(t, os.Chmod(path, 0o720))
		},
	}
}

func TestSharedFolderIsRefused(t *testing.T) {
	for why, create := range unsafeFolders() {
		for _, end := range []string{"", "/", "/."} {
			t.Run(why+end, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "guardrails")
				create(t, path)
				_, err := private.Runtime(from(map[string]string{"GUARDRAILS_CACHE_DIR": path + end}))
				want := private.Unsafe{Path: path, Why: why, Remedy: "remove it, or set GUARDRAILS_CACHE_DIR to another folder"}
				if unsafe, ok := errors.AsType[*private.Unsafe](err); !ok || *unsafe != want {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

func TestFolderOfAnotherUserIsRefused(t *testing.T) {
	path := folder(t).Path("")
	if unsafe, ok := errors.AsType[*private.Unsafe](private.CheckAs(path, os.Geteuid()+1)); !ok || !strings.HasPrefix(unsafe.Why, "belongs to another user") {
		t.Errorf("got %v", unsafe)
	}
	if os.Geteuid() != 0 {
		return // only root can change the owner of a folder
	}
	must(t, os.Chown(path, nobody, nobody))
	if _, err := private.Open(path); err == nil || !strings.Contains(err.Error(), "belongs to another user (uid 65534)") {
		t.Errorf("got %v", err)
	}
}

func TestRuntimeFolderOfAnotherUserIsNotUsed(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only root can change the owner of a folder
	}
	root := t.TempDir()
	runtime := filepath.Join(root, "run")
	must(t, os.Mkdir(runtime, 0o700))
	must(t, os.Chown(runtime, nobody, nobody))
	d, err := private.Runtime(from(map[string]string{"XDG_RUNTIME_DIR": runtime, "TMPDIR": root}))
	must(t, err)
	if strings.HasPrefix(d.Path(""), runtime) {
		t.Errorf("got %s", d.Path(""))
	}
}

func TestFolderReadableByOthersIsMadePrivate(t *testing.T) {
	d := folder(t)
	must(t, os.Chmod(d.Path(""), 0o755))
	_, err := private.Open(d.Path(""))
	must(t, err)
	if d.Mode("") != 0o700 {
		t.Errorf("the folder has mode %o", d.Mode(""))
	}
}

func TestFoldersAndFilesAreCreatedPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	root := t.TempDir()
	state, err := private.StateDir(from(map[string]string{"HOME": root}))
	must(t, err)
	d, err := private.Open(state)
	must(t, err)
	must(t, d.Write("guardrails-a.json", nil))
	must(t, d.Append("guardrails-a.ledger", nil))
	must(t, d.Touch("guardrails-a.beat-Stop"))
	for _, name := range []string{"guardrails-a.json", "guardrails-a.ledger", "guardrails-a.beat-Stop"} {
		if d.Mode(name) != 0o600 {
			t.Errorf("%s has mode %o", name, d.Mode(name))
		}
	}
	for _, name := range []string{".", "..", "../.."} {
		if d.Mode(name) != 0o700 {
			t.Errorf("%s has mode %o", d.Path(name), d.Mode(name))
		}
	}
}
