//go:build unix

package run_test

import (
	"io"
	"net"
	"os"
)

// served() returns a function that starts a server on the socket. The server calls answer() with every connection.
func served(answer func(net.Conn)) func(*machine, []string) {
	return onlyOnce(func(m *machine) {
		must(m.t, os.MkdirAll(m.sessions, 0o700))
		listener, err := net.Listen("unix", m.sessions+"/server.sock")
		must(m.t, err)
		m.t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				go answer(c)
			}
		}()
	})
}

func hanging(c net.Conn) {
	_, _ = io.Copy(io.Discard, c)
	_ = c.Close()
}

func wrong(c net.Conn) {
	_, _ = io.WriteString(c, "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
	hanging(c)
}

// killedServer leaves a socket on which no process listens.
func killedServer(m *machine) {
	must(m.t, os.MkdirAll(m.sessions, 0o700))
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: m.sessions + "/server.sock", Net: "unix"})
	must(m.t, err)
	listener.SetUnlinkOnClose(false)
	must(m.t, listener.Close())
}

func serverScenarios() map[string]scenario {
	return map[string]scenario{
		"no server runs":                  {cold: true},
		"the server was killed":           {cold: true, spoil: onlyOnce(killedServer)},
		"the server sends a wrong answer": {cold: true, spoil: served(wrong)},
		"the server hangs":                {cold: true, spoil: served(hanging)},
		"the server's socket is a file": {cold: true, spoil: onlyOnce(func(m *machine) {
			must(m.t, os.MkdirAll(m.sessions, 0o700))
			aFile(m, m.sessions+"/server.sock")
		})},
		"the server hangs, and the cache is good": {spoil: served(hanging)},
	}
}

// script() returns a function that replaces the guardrails program with a shell script.
func script(text string) func(*machine, []string) {
	return onlyOnce(func(m *machine) {
		replaceFile(func(m *machine, path string) { must(m.t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700)) })(m, m.bin+"/guardrails")
	})
}

// commandScenarios returns scenarios about the guardrails program, which hooks start if no server answers.
func commandScenarios() map[string]scenario {
	gone := onlyOnce(func(m *machine) { must(m.t, os.Remove(m.bin+"/guardrails")) })
	return map[string]scenario{
		"the command line is missing": {cold: true, spoil: gone},
		"the command line is not executable": {cold: true, spoil: onlyOnce(func(m *machine) {
			script("exit 0")(m, nil)
			must(m.t, os.Chmod(m.bin+"/guardrails", 0o600))
		})},
		"the command line hangs":                                           {cold: true, spoil: script("sleep 60"), slow: true},
		"the command line fails":                                           {cold: true, spoil: script("cat >/dev/null; echo no such luck >&2; exit 3")},
		"the command line is killed":                                       {cold: true, spoil: script("cat >/dev/null; kill -9 $$")},
		"the command line prints text that is not an answer":               {cold: true, spoil: script("cat >/dev/null; echo hello")},
		"the command line answers in a format that the hook does not know": {cold: true, spoil: script(`cat >/dev/null; echo '{"success":true}'`)},
		"the command line is missing, and the cache is good":               {spoil: gone},
	}
}
