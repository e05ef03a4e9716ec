package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// heed is how long a client may take to show that it heeded a key; one that is pressed while a dialog is being drawn can
// get lost, and is pressed again.
const heed = 3 * time.Second

// dialog is a question on the screen.
type dialog struct {
	// question is the dialog's text without the mark before the chosen option.
	question string
	options  []string
	// chosen is the option that Enter would take.
	chosen int
}

// Choose takes an option of the dialog on the screen by its words, such as Yes or No, and waits until the dialog is gone
// or is another one.
func (i *Interactive) Choose(ctx context.Context, option string) error {
	d, err := i.awake(ctx)
	if err != nil {
		return err
	}
	for d.options[d.chosen] != option {
		key, found := d.towards(option)
		if !found {
			return fmt.Errorf("the dialog has no option %q, but %q", option, d.options)
		}
		if d, err = i.move(ctx, d, key); err != nil {
			return err
		}
	}
	return i.finish(ctx, d, "Enter")
}

// Leave presses Escape at the dialog on the screen and waits until it is gone or is another one.
func (i *Interactive) Leave(ctx context.Context) error {
	d, err := i.awake(ctx)
	if err != nil {
		return err
	}
	return i.finish(ctx, d, "Escape")
}

// awake waits for a dialog, and until it heeds keys. Keys that only move the choice tell that, and do no harm if they
// come late.
func (i *Interactive) awake(ctx context.Context) (dialog, error) {
	var d dialog
	err := i.wait(ctx, "a dialog", func(screen string) bool {
		d = dialogOf(screen)
		return len(d.options) > 1
	})
	if err != nil {
		return d, err
	}
	if d.chosen == 0 {
		return i.move(ctx, d, "Down")
	}
	return i.move(ctx, d, "Up")
}

// move presses a key until the choice moves.
func (i *Interactive) move(ctx context.Context, from dialog, key string) (dialog, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if err := i.Press(ctx, key); err != nil {
			return from, err
		}
		now := from
		short, stop := context.WithTimeout(ctx, heed)
		err := i.wait(short, "another option", func(screen string) bool {
			now = dialogOf(screen)
			return now.question == from.question && now.chosen != from.chosen
		})
		stop()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return now, err
		}
	}
}

// finish presses the key that ends a dialog, once: a second one would meet what comes next.
func (i *Interactive) finish(ctx context.Context, d dialog, key string) error {
	if err := i.Press(ctx, key); err != nil {
		return err
	}
	return i.wait(ctx, "the dialog to go", func(screen string) bool { return dialogOf(screen).question != d.question })
}

// towards says which key moves the choice nearer to an option.
func (d dialog) towards(option string) (key string, found bool) {
	for i, have := range d.options {
		if have == option && i < d.chosen {
			return "Up", true
		}
		if have == option {
			return "Down", true
		}
	}
	return "", false
}

// dialogOf reads the dialog that stands below the last line across the screen; without options it is none.
func dialogOf(screen string) dialog {
	const rule = "\n────────"
	start := strings.LastIndex("\n"+screen, rule)
	if start < 0 {
		return dialog{}
	}
	var d dialog
	for line := range strings.Lines(screen[start:]) {
		words, chosen := strings.CutPrefix(strings.TrimSpace(line), cursor)
		number, words, ok := strings.Cut(strings.TrimSpace(words), ". ")
		if !ok || number != fmt.Sprint(len(d.options)+1) {
			continue
		}
		if chosen {
			d.chosen = len(d.options)
		}
		d.options = append(d.options, strings.TrimSpace(words))
	}
	if len(d.options) > 0 {
		d.question = strings.ReplaceAll(screen[start:], cursor, " ")
	}
	return d
}
