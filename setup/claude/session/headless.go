package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Headless runs one prompt in a client without a terminal and returns what happened. If the context is done, Headless
// stops the client and everything that it started. After an error, the transcript has the client's output so far.
func Headless(ctx context.Context, o Options) (*Transcript, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	args, err := o.arguments()
	if err != nil {
		return nil, err
	}
	// The prompt comes first. After --allowedTools, the client would take it for the name of a tool.
	args = append([]string{"-p", o.Prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events"},
		args...)
	cmd := exec.CommandContext(ctx, o.Client, args...)
	cmd.Dir, cmd.Env = o.Project, o.environment()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ownGroup(cmd)
	// Processes that left the client's group may keep the pipes open.
	cmd.WaitDelay = 2 * time.Second
	runErr := cmd.Run()
	t, parseErr := Parse(&stdout)
	t.Stderr = stderr.String()
	return t, errors.Join(runError(ctx, runErr, t), parseErr)
}

func runError(ctx context.Context, err error, t *Transcript) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the client was stopped before it was done: %w", context.Cause(ctx))
	}
	const shown = 500
	words := strings.TrimSpace(t.Stderr)
	if words == "" && t.Result != nil {
		words = t.Result.Text
	}
	if len(words) > shown {
		words = "…" + words[len(words)-shown:]
	}
	return fmt.Errorf("the client failed: %w: %s", err, words)
}
