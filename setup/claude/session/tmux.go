package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The type "tmux" is a private tmux server. Its socket is in a folder that no other process knows.
type tmux struct {
	program, dir string
}

func newTmux() (*tmux, error) {
	program, err := exec.LookPath("tmux")
	if err != nil {
		return nil, fmt.Errorf("an interactive session needs tmux: install the package tmux: %w", err)
	}
	// The path of a socket must be short, so the socket is in the system's temporary folder and not in the session's
	// folder.
	dir, err := os.MkdirTemp("", "tmux-")
	if err != nil {
		return nil, fmt.Errorf("cannot create a folder for tmux: %w", err)
	}
	return &tmux{program: program, dir: dir}, nil
}

const usualColumns = 120

// open() starts a command in a terminal. The terminal stays open after the command exits.
func (t *tmux) open(ctx context.Context, dir string, columns int, command []string) error {
	args := []string{"new-session", "-d", "-x", strconv.Itoa(cmp.Or(columns, usualColumns)), "-y", "50", "-c", dir, "--"}
	args = append(append(args, command...), ";", "set-option", "-g", "remain-on-exit", "on")
	_, err := t.run(ctx, args...)
	return err
}

func (t *tmux) run(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"-u", "-f", os.DevNull, "-S", filepath.Join(t.dir, "socket")}, args...)
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Env = []string{"PATH=" + searchPath, "LANG=C.UTF-8", "TERM=xterm-256color", "HOME=" + t.dir}
	out, err := cmd.Output()
	if err != nil {
		words := ""
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			words = strings.TrimSpace(string(exit.Stderr))
		}
		return "", fmt.Errorf("tmux: %w: %s", err, words)
	}
	return string(out), nil
}

func (t *tmux) screen(ctx context.Context) (string, error) {
	return t.run(ctx, "capture-pane", "-p")
}

// pane() returns the id of the process in the terminal, and whether the process has ended.
func (t *tmux) pane(ctx context.Context) (pid int, ended bool, err error) {
	out, err := t.run(ctx, "display-message", "-p", "#{pane_pid} #{pane_dead}")
	if err != nil {
		return 0, false, err
	}
	first, dead, _ := strings.Cut(strings.TrimSpace(out), " ")
	pid, err = strconv.Atoi(first)
	return pid, dead == "1", err
}

func (t *tmux) close(ctx context.Context) error {
	_, err := t.run(ctx, "kill-server")
	return errors.Join(err, os.RemoveAll(t.dir))
}
