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

// Headless runs prompts in a client without a terminal and returns what happened. If the context is done, Headless
// stops the client and everything that it started. After an error, the transcript has the client's output so far.
func Headless(ctx context.Context, o Options) (*Transcript, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Editor {
		// The function settle() answers the questions of the client's first start. Without the answers, the client does
		// not accept the key.
		if err := settle(o.Home, o.Project); err != nil {
			return nil, err
		}
	}
	args, err := o.arguments()
	if err != nil {
		return nil, err
	}
	// The prompt comes first. After --allowedTools, the client would take the prompt for the name of a tool.
	first := []string{"-p", o.Prompt}
	if len(o.Next) > 0 {
		first = []string{"-p", "--input-format", "stream-json"}
	}
	first = append(first, "--output-format", "stream-json", "--verbose", "--include-hook-events")
	cmd := exec.CommandContext(ctx, o.Client, append(first, args...)...)
	cmd.Dir, cmd.Env = o.Project, o.environment()
	var stdout conversation
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if len(o.Next) > 0 {
		if stdout.stdin, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
		stdout.prompts = append([]string{o.Prompt}, o.Next...)
	}
	ownGroup(cmd)
	// Processes that have left the client's group can keep the pipes open.
	cmd.WaitDelay = 2 * time.Second
	runErr := cmd.Start()
	if runErr == nil {
		stdout.next()
		runErr = cmd.Wait()
	}
	t, parseErr := Parse(&stdout.output)
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
