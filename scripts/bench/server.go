package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// serve() starts the server. Its socket is in a runtime folder of the stage.
func (s *stage) serve() error {
	server := exec.Command(filepath.Join(s.bin, "guardrails"), "serve", "--addr", "127.0.0.1:0")
	server.Dir, server.Env = s.project, s.env("served")
	log := filepath.Join(s.dir, "server.log")
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	server.Stdout, server.Stderr = file, file
	if err := server.Start(); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	s.server = server.Process.Pid
	s.closing = append(s.closing, func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = file.Close()
	})
	socket := filepath.Join(s.runtime("served"), "guardrails", "server.sock")
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			return nil
		}
	}
	said, _ := os.ReadFile(log)
	return fmt.Errorf("the server did not create its socket: %s", said)
}
