package private_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"guardrails/internal/private"
)

// signer() opens the folder again, without a key in memory, as a newly started program does.
func signer(t *testing.T, base string) *private.Dir {
	t.Helper()
	d, err := private.Runtime(from(map[string]string{"GUARDRAILS_CACHE_DIR": base + "/run", "HOME": base}))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func keyFile(base string) string { return filepath.Join(base, ".local/state/guardrails/key") }

func TestTheFirstProgramMakesTheKeyAndAllOthersUseIt(t *testing.T) {
	base := t.TempDir()
	keys := make([]private.Key, 16)
	var all sync.WaitGroup
	for i := range keys {
		d := signer(t, base)
		all.Go(func() {
			var err error
			if keys[i], err = d.Key(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if k != keys[0] {
			t.Fatal("programs that start at the same time have different keys")
		}
	}
	info, err := os.Stat(keyFile(base))
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 33 {
		t.Errorf("the file of the key: %v, %v", info, err)
	}
	left, err := os.ReadDir(filepath.Dir(keyFile(base)))
	if err != nil || len(left) != 1 {
		t.Errorf("besides the key there are %v, %v", left, err)
	}
}

func TestASignatureIsForOneFileAndOneText(t *testing.T) {
	base := t.TempDir()
	d := signer(t, base)
	signed := d.KeyOf("guardrails-s1.allow-A").Sign([]byte("text"))
	for name, c := range map[string]struct {
		file, text string
		want       bool
	}{
		"the same":         {"guardrails-s1.allow-A", string(signed), true},
		"another file":     {"guardrails-s1.denied-A", string(signed), false},
		"another session":  {"guardrails-s2.allow-A", string(signed), false},
		"another text":     {"guardrails-s1.allow-A", "t" + string(signed), false},
		"no signature":     {"guardrails-s1.allow-A", "text", false},
		"a zero signature": {"guardrails-s1.allow-A", "text" + strings.Repeat("0", 16), false},
		"nothing":          {"guardrails-s1.allow-A", "", false},
		"the beginning":    {"guardrails-s1.allow-A", string(signed[:len(signed)-1]), false},
	} {
		for who, d := range map[string]*private.Dir{"the same program": d, "another program": signer(t, base)} {
			text, ok := d.KeyOf(c.file).Signed([]byte(c.text))
			if ok != c.want || ok && string(text) != "text" || !ok && text != nil {
				t.Errorf("%s, %s: got %q, %v", name, who, text, ok)
			}
		}
	}
}

func TestWithoutTheKeyNothingIsSigned(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, file string){
		"the key is gone":      func(t *testing.T, file string) { must(t, os.Remove(file)) },
		"another key":          func(t *testing.T, file string) { rewrite(t, file, strings.Repeat("ab", 16)+"\n") },
		"a key of zeros":       func(t *testing.T, file string) { rewrite(t, file, strings.Repeat("0", 32)+"\n") },
		"an empty key":         func(t *testing.T, file string) { rewrite(t, file, "") },
		"no number":            func(t *testing.T, file string) { rewrite(t, file, strings.Repeat("xy", 16)+"\n") },
		"a longer file":        func(t *testing.T, file string) { rewrite(t, file, strings.Repeat("ab", 17)+"\n") },
		"others can write it":  func(t *testing.T, file string) { must(t, os.Chmod(file, 0o622)) },
		"it has a second name": func(t *testing.T, file string) { must(t, os.Link(file, file+"2")) },
		"it is a folder":       func(t *testing.T, file string) { must(t, os.Remove(file)); must(t, os.Mkdir(file, 0o700)) },
		"it is a link": func(t *testing.T, file string) {
			must(t, os.Rename(file, file+"2"))
			must(t, os.Symlink(file+"2", file))
		},
		"the folder is a file": func(t *testing.T, file string) {
			must(t, os.RemoveAll(filepath.Dir(file)))
			rewrite(t, filepath.Dir(file), "")
		},
		"others own the folder": func(t *testing.T, file string) {
			must(t, os.Remove(file))
			must(t, os.Chmod(filepath.Dir(file), 0o777))
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			must(t, signer(t, base).Write("guardrails-s1.allow-A", signer(t, base).KeyOf("guardrails-s1.allow-A").Sign([]byte("text"))))
			if text, err := signer(t, base).ReadSigned("guardrails-s1.allow-A", 100); err != nil || string(text) != "text" {
				t.Fatalf("got %q, %v", text, err)
			}
			spoil(t, keyFile(base))
			if _, err := signer(t, base).ReadSigned("guardrails-s1.allow-A", 100); !errors.Is(err, private.ErrUnsigned) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func rewrite(t *testing.T, file, text string) {
	t.Helper()
	must(t, os.WriteFile(file, []byte(text), 0o600))
}
