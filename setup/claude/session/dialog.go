package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// reactionTime is the time that a client has to react to a key. After this time, Choose and Leave press the key again.
const reactionTime = 5 * time.Second

// The constant "still" is how long the screen must stay the same before Choose or Leave presses a key.
const still = 8 * glance

// Choose waits for a dialog that has an option with the given text, such as Yes or No, and selects this option. It
// waits until the dialog has gone or changed.
func (i *Interactive) Choose(ctx context.Context, option string) error {
	return i.finish(ctx, fmt.Sprintf("a dialog with the option %q", option), func(d dialog) string { return d.options[option] })
}

// Leave presses Escape and waits until the dialog has gone or changed.
func (i *Interactive) Leave(ctx context.Context) error {
	return i.finish(ctx, "a dialog", func(d dialog) string {
		if len(d.options) == 0 {
			return ""
		}
		return "Escape"
	})
}

// finish() waits for a dialog, and presses the key until the dialog has gone or changed.
func (i *Interactive) finish(ctx context.Context, what string, key func(dialog) string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	before, err := i.waitForDialog(ctx, what, func(d dialog) bool { return key(d) != "" })
	for err == nil {
		if err = i.Press(ctx, key(before)); err != nil {
			return err
		}
		err = i.gone(ctx, before)
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		// Either the client missed the key, or it is slow. The screen does not show which, so press the key again.
		err = nil
	}
	return err
}

// waitForDialog waits for a dialog for which the function wanted() returns true. It then waits until the dialog no
// longer changes.
func (i *Interactive) waitForDialog(ctx context.Context, what string, wanted func(dialog) bool) (dialog, error) {
	var d dialog
	err := i.wait(ctx, what, steady(func(screen string) string {
		if d = dialogOf(screen); !wanted(d) {
			return ""
		}
		return d.text
	}))
	return d, err
}

// steady() returns a condition for the screen. The condition is true if the result of see() is not empty and has not
// changed for a moment. The client draws before it reads keys, so it would lose a key that is pressed too early.
func steady(see func(screen string) string) func(screen string) bool {
	last, since := "", time.Time{}
	return func(screen string) bool {
		if now := see(screen); now != last {
			last, since = now, time.Now()
		}
		return last != "" && time.Since(since) >= still
	}
}

func (i *Interactive) gone(ctx context.Context, d dialog) error {
	ctx, cancel := context.WithTimeout(ctx, reactionTime)
	defer cancel()
	return i.wait(ctx, "the dialog to go", func(screen string) bool { return dialogOf(screen).question != d.question })
}

// The type "dialog" is a question on the screen.
type dialog struct {
	text     string
	question string
	// The map "options" says which key on the keyboard selects each option. The options are identified by their texts.
	options map[string]string
}

// dialogOf reads the dialog below the last horizontal line. Text without options is not a dialog.
func dialogOf(screen string) dialog {
	start := strings.LastIndex("\n"+screen, "\n────────")
	if start < 0 {
		return dialog{}
	}
	d := dialog{text: screen[start:], options: map[string]string{}}
	above := ""
	for line := range strings.Lines(d.text) {
		words := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), cursor))
		number, words, ok := strings.Cut(words, ". ")
		if ok && number == "1" {
			// If the numbers begin with 1 again, a new list begins. Forget the list above the new list.
			clear(d.options)
			d.question = above
		}
		if ok && number == fmt.Sprint(len(d.options)+1) {
			d.options[words] = number
		}
		above += line
	}
	if len(d.options) < 2 {
		return dialog{}
	}
	return d
}
