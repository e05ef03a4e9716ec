package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/internal/document"
	"guardrails/store"
)

// loadDump takes in everything of a tenant.
func loadDump(a *app.App, c *cobra.Command, args []string, f *importFlags) error {
	if f.dryRun || c.Flags().Changed("on-conflict") || len(args) != 1 {
		return app.Usagef("%s: --all takes one file and no other flag: what is there already stays, and what differs is refused", c.CommandPath())
	}
	file, err := openDump(a, args[0])
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	return changeStore(a, c, create, func(ctx context.Context, b *book) error {
		loaded, err := b.Load(ctx, records(args[0], file))
		if err != nil {
			return err
		}
		return a.Answer(loaded, func(p *app.Printer) {
			p.Line("new: %s of guidelines, %s of the audit; all else was there", app.Count(int(loaded.Revisions), "version"), entries(loaded.Entries))
		})
	})
}

// openDump opens a file, however large, or stdin where the name is -.
func openDump(a *app.App, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.Stdin), nil
	}
	shown := document.Printable(name)
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, app.Failf("%s: is not a regular file; name the file that export --all wrote, or give it on stdin as -", shown)
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(name)
	}
	if err != nil {
		return nil, app.Failf("%s: cannot be read: %v; check the path", shown, errors.Unwrap(err))
	}
	return file, nil
}

// maxRecord bounds a line of a dump: no guideline and no entry of the audit is as large.
const maxRecord = 32 << 20

// records reads a dump line by line. A problem is the last thing it gives, with its line.
func records(name string, r io.Reader) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxRecord)
		for number := 1; lines.Scan(); number++ {
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			record, err := store.DecodeRecord(line)
			if err != nil {
				err = store.Errorf(store.Invalid, "%s:%d: %w", document.Printable(name), number, err)
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(store.Record{}, store.Errorf(store.Invalid, "%s: cannot be read: %w", document.Printable(name), err))
		}
	}
}

// entries counts entries, of which there may be very many.
func entries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
