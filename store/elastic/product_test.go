//go:build unix

package elastic_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"guardrails/store/elastic"
)

// product has the built programs and a project whose guidelines are in a cluster with security enabled.
type product struct {
	t        *testing.T
	bin, dir string
	// The field "secrets" has the texts that no program may print.
	secrets []string
}

// built() returns the folder that has the built programs.
func built(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin+"/", "guardrails/cmd/...").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// newProduct writes the configuration of a project. The parameter "store" is the text of the section with the same
// name.
func newProduct(t *testing.T, bin, store string) *product {
	t.Helper()
	dir, err := os.MkdirTemp("", "p") // a socket's path must be short
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &product{t: t, bin: bin, dir: dir}
	p.file("project/.claude/guardrails.yaml", "packs: [core]\nstore: {"+store+"}\n")
	return p
}

func (p *product) file(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// secret() writes a secret to a file in the home folder.
func (p *product) secret(name, text string) {
	p.t.Helper()
	p.secrets = append(p.secrets, text)
	p.file("home/"+name, text+"\n")
}

func (p *product) command(args ...string) *exec.Cmd {
	c := exec.Command(p.bin+"/guardrails", args...)
	c.Dir = p.dir + "/project"
	// The command init refuses programs that are inside TMPDIR. The built programs are in a temporary folder, so set
	// TMPDIR to another folder.
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir + "/home", "GUARDRAILS_CACHE_DIR=" + p.dir + "/run", "TMPDIR=/nowhere",
	}
	return c
}

// runCommand runs a command. It returns the output of the command, and whether the command succeeded.
func (p *product) runCommand(args ...string) (string, bool) {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	p.checkNoSecret(string(out))
	return string(out), err == nil
}

// mustRun runs a command that has to succeed, and returns its output.
func (p *product) mustRun(args ...string) string {
	p.t.Helper()
	said, worked := p.runCommand(args...)
	if !worked {
		p.t.Errorf("guardrails %v: %s", args, said)
	}
	return said
}

// checkNoSecret checks that a text contains no secret.
func (p *product) checkNoSecret(text string) {
	p.t.Helper()
	for _, secret := range p.secrets {
		if strings.Contains(text, secret) {
			p.t.Errorf("a secret was printed: %s", text)
		}
	}
}

const patience = time.Minute

// serve() starts a server. ready() returns the server's answer to /readyz. The function hangUp makes the server read
// its files again.
func (p *product) serve() (ready func() string, hangUp func()) {
	p.t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	address := on.Addr().String()
	if err := on.Close(); err != nil {
		p.t.Fatal(err)
	}
	var said bytes.Buffer
	server := p.command("serve", "--addr", address)
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM) // the server may have ended; the next line finds out
		if err := server.Wait(); err != nil {
			p.t.Errorf("%v: %s", err, &said)
		}
		p.checkNoSecret(said.String())
	})
	ready = func() string {
		answer, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body) // an incomplete text does not match
		p.checkNoSecret(string(text))
		return string(text)
	}
	return ready, func() { _ = server.Process.Signal(syscall.SIGHUP) }
}

// waitForText repeatedly calls say() until its result contains the given words.
func (p *product) waitForText(say func() string, words string) {
	p.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(say(), words); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("after %v the text is %s, want %q", patience, say(), words)
		}
	}
}

func TestProgramsUseANewSecretFromTheirFile(t *testing.T) {
	t.Parallel()
	s := elastic.NewSecured(t)
	prefix := s.NewPrefix()
	user := s.NewUser(s.Documented(prefix), "first-password")
	key, next := s.NewKey(s.Documented(prefix)), s.NewKey(s.Documented(prefix))
	bin, cluster := built(t), "addresses: [\""+s.URL+"\"], ca_file: "+s.CAFile+", index_prefix: "+prefix+", "
	for name, c := range map[string]struct {
		settings, file, first, second, refused string
		// change invalidates the first secret.
		change func()
	}{
		"a password": {
			"username: " + user + ", password_file: ~/password", "password", "first-password", "second-password",
			"check the user name and the password", func() {
				s.Manage(http.MethodPut, "/_security/user/"+user+"/_password", `{"password": "second-password"}`, nil)
			},
		},
		"an API key": {"api_key_file: ~/key", "key", key.Encoded, next.Encoded, "use a valid one", func() {
			s.Manage(http.MethodDelete, "/_security/api_key", `{"ids": ["`+key.ID+`"]}`, nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProduct(t, bin, cluster+c.settings)
			list := func() string { return p.mustRun("list", "--store", "--page-size", "1000") }
			p.secret(c.file, c.first)
			p.mustRun("init")
			p.mustRun("import", "pack:core")
			p.waitForText(list, "security-guard-tamper")
			p.waitForText(func() string { return p.mustRun("audit", "list", "--page-size", "1000") }, "security-guard-tamper")
			ready, hangUp := p.serve()
			p.waitForText(ready, `"ready"`)
			c.change()
			p.waitForText(ready, `"degraded"`)
			if said, worked := p.runCommand("list", "--store"); worked || !strings.Contains(said, c.refused) {
				t.Errorf("with an invalid secret: %s", said)
			}
			p.secret(c.file, c.second)
			hangUp()
			p.waitForText(ready, `"ready"`)
			p.waitForText(list, "security-guard-tamper")
		})
	}
}
