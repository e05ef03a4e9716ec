package doctor

import (
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/internal/private"
)

// listen() answers every request on the project's socket. The listening process is the test itself.
func (p *computer) listen(answer string) *net.UnixListener {
	p.t.Helper()
	return p.listenWith(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	})
}

func (p *computer) listenWith(answer http.HandlerFunc) *net.UnixListener {
	p.t.Helper()
	dir, err := private.Runtime(os.Getenv)
	if err != nil {
		p.t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dir.Path("server.sock"), Net: "unix"})
	if err != nil {
		p.t.Fatal(err)
	}
	s := &http.Server{Handler: answer}
	go func() { _ = s.Serve(l) }()
	p.t.Cleanup(func() { _ = s.Close() })
	return l
}

// installSelf creates a link to the running test binary under the given name.
func (p *computer) installSelf(name string) {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	p.remove(name)
	if err := os.Symlink(self, p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func TestServerOnSocketIsAskedAndIdentified(t *testing.T) {
	const (
		good     = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"count":3,"source":"files"}}}`
		eachTime = "; each hook starts the guardrails program -> "
		again    = "start the server again"
	)
	for _, c := range []struct {
		name  string
		given func(p *computer)
		want  string
	}{
		{
			"the server", func(p *computer) { p.installSelf("bin/guardrails-server"); p.listen(good) },
			"ok: 3 guidelines from files in 0.0 ms, by BIN/guardrails-server",
		},
		{
			"another program", func(p *computer) { p.listen(good) },
			"broken: the process that listens on RUN/server.sock does not run BIN/guardrails-server; end that process" + eachTime + again,
		},
		{
			"no server at all", func(p *computer) { p.remove("bin/guardrails-server"); p.listen(good) },
			"broken: the process that listens on RUN/server.sock does not run guardrails-server, which is missing; end that process" + eachTime + again,
		},
		{
			"an invalid answer", func(p *computer) { p.installSelf("bin/guardrails-server"); p.listen(`{}`) },
			"broken: the server's answer has neither a result nor an error" + eachTime + again,
		},
		{
			"no process listens", func(p *computer) {
				l := p.listen(good)
				l.SetUnlinkOnClose(false)
				_ = l.Close()
			},
			"warning: no process listens on RUN/server.sock" + eachTime + "start the server again, or remove RUN/server.sock",
		},
		{
			"the server, before a project is set up", func(p *computer) {
				p.remove("project/.claude/settings.json")
				p.installSelf("bin/guardrails-server")
				p.listen(good)
			},
			"ok: 3 guidelines from files in 0.0 ms, by BIN/guardrails-server",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newComputer(t)
			now := time.Now()
			p.now = func() time.Time { return now } // every duration is zero
			c.given(p)
			lines := strings.Split(p.serverReport(), "\n")
			if got := lines[len(lines)-1]; got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A server that uses other folders rejects requests from the hooks. doctor must get the same error.
func TestDoctorSendsTheSameEnvironmentAsTheHooks(t *testing.T) {
	p := newComputer(t)
	p.installSelf("bin/guardrails-server")
	asked := make(chan string, 1)
	p.listenWith(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		asked <- string(text)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"environment: the data folder is another one here"}]}}`)
	})
	if got := p.serverReport(); !strings.Contains(got, "the data folder is another one here") {
		t.Errorf("doctor says %s", got)
	}
	for _, want := range []string{`"HOME":"` + p.path("home") + `"`, `"XDG_STATE_HOME":"` + p.path("state") + `"`} {
		if got := <-asked; !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		} else {
			asked <- got
		}
	}
}
