package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Interactive is a client in its own terminal. The caller presses its keys.
type Interactive struct {
	terminal *tmux
	pid      int
}

// The constant "patience" is the longest time to wait for a change of the screen.
const patience = time.Minute

// The constant "glance" is the time between two readings of the screen.
const glance = 30 * time.Millisecond

// The constant "cursor" is the sign at the beginning of the client's input line. The selected option of a dialog begins
// with the same sign, followed by a number.
const cursor = "❯"

// Start is a function that starts the interactive client. First it writes answers into the folder Home, so that the
// client does not ask the questions that it asks when it is started for the first time. Then it starts the client, and
// waits until the client accepts a prompt. The caller must call Close.
func Start(ctx context.Context, o Options) (*Interactive, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := settle(o.Home, o.Project); err != nil {
		return nil, err
	}
	args, err := o.arguments()
	if err != nil {
		return nil, err
	}
	terminal, err := newTmux()
	if err != nil {
		return nil, err
	}
	i := &Interactive{terminal: terminal}
	command := append([]string{"env", "-i", "TERM=xterm-256color", "LANG=C.UTF-8"}, o.environment()...)
	if err = terminal.open(ctx, o.Project, o.Columns, append(append(command, o.Client), args...)); err == nil {
		err = i.ready(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

func (i *Interactive) ready(ctx context.Context) error {
	pid, _, err := i.terminal.pane(ctx)
	if err != nil {
		return err
	}
	i.pid = pid
	return i.wait(ctx, "the client's prompt", func(screen string) bool {
		for line := range strings.Lines(screen) {
			rest, ok := strings.CutPrefix(strings.TrimSpace(line), cursor)
			if ok && !strings.HasPrefix(strings.TrimSpace(rest), "1.") {
				return true
			}
		}
		return false
	})
}

// Type is a method that types a text, waits until the client shows it, and submits it.
func (i *Interactive) Type(ctx context.Context, text string) error {
	before, err := i.Screen(ctx)
	if err != nil {
		return err
	}
	shown := occurrences(before, text)
	if _, err := i.terminal.run(ctx, "send-keys", "-l", "--", text); err != nil {
		return err
	}
	typed := func(screen string) string {
		if occurrences(screen, text) <= shown {
			return ""
		}
		return text
	}
	if err := i.wait(ctx, fmt.Sprintf("the typed text %q", text), steady(typed)); err != nil {
		return err
	}
	return i.Press(ctx, "Enter")
}

// occurrences() counts how often a text is on the screen. The screen may have wrapped the text.
func occurrences(screen, text string) int {
	return strings.Count(dense(screen), dense(text))
}

func dense(text string) string { return strings.Join(strings.Fields(text), "") }

// Press presses keys by their tmux names, such as Enter, Escape, Down, C-c, or 2.
func (i *Interactive) Press(ctx context.Context, keys ...string) error {
	_, err := i.terminal.run(ctx, append([]string{"send-keys"}, keys...)...)
	return err
}

// Screen returns the content of the terminal.
func (i *Interactive) Screen(ctx context.Context) (string, error) {
	return i.terminal.screen(ctx)
}

// WaitFor waits until the screen shows a text. The screen may have wrapped the text.
func (i *Interactive) WaitFor(ctx context.Context, text string) error {
	return i.wait(ctx, fmt.Sprintf("%q", text), func(screen string) bool { return occurrences(screen, text) > 0 })
}

// Settled calls see() until its result is not empty and stops changing, and returns this result.
func (i *Interactive) Settled(ctx context.Context, see func(screen string) string) (string, error) {
	seen := ""
	err := i.wait(ctx, "the screen to stop changing", steady(func(screen string) string {
		seen = see(screen)
		return seen
	}))
	return seen, err
}

// WaitEnd waits until the client has ended, as it does after /exit.
func (i *Interactive) WaitEnd(ctx context.Context) error {
	err := i.wait(ctx, "the client's end", func(string) bool { return false })
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

var errEnded = errors.New("the client has ended")

// wait() reads the screen until the condition holds. Error messages describe the condition with the given text.
func (i *Interactive) wait(ctx context.Context, what string, wanted func(screen string) bool) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	screen := ""
	for {
		// After the deadline this call fails. The variable "screen" then still has the previous content, for the error
		// message.
		if now, err := i.terminal.screen(waiting); err == nil {
			screen = now
		}
		if wanted(screen) {
			return nil
		}
		if _, ended, err := i.terminal.pane(waiting); err == nil && ended {
			return fmt.Errorf("waiting for %s: %w; its last screen:\n%s", what, errEnded, screen)
		}
		select {
		case <-waiting.Done():
			return fmt.Errorf("gave up waiting for %s: %w; the screen:\n%s", what, context.Cause(waiting), screen)
		case <-ticker.C:
		}
	}
}

// Close closes the terminal, as a person closes a window. This ends the client and everything that it started.
func (i *Interactive) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if i.pid == 0 {
		return i.terminal.close(ctx)
	}
	all := family(i.pid)
	if !i.ended(ctx) {
		hangUp(i.pid)
		// If the client does not exit by itself, it is killed below.
		_ = i.WaitEnd(ctx)
	}
	end(all)
	return i.terminal.close(ctx)
}

func (i *Interactive) ended(ctx context.Context) bool {
	_, ended, err := i.terminal.pane(ctx)
	return err != nil || ended
}
