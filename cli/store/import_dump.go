package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/document"
	"guardrails/store"
)

// loadDump imports a dump, which is the output of "guardrails export --all".
func loadDump(a *app.App, c *cobra.Command, args []string, f *importFlags) error {
	if f.dryRun || c.Flags().Changed("on-conflict") || forAll(c) || len(args) != 1 {
		return app.Usagef("%s: --all takes one file and no other flag; "+
			"it skips records that are already in the store, and imports nothing if one of these records differs from the file",
			c.CommandPath())
	}
	file, err := openDump(a, args[0])
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	return changeStore(a, c, create, func(ctx context.Context, s *projectStore) error {
		loaded, err := s.Load(ctx, records(args[0], file))
		if err != nil {
			return err
		}
		return a.Answer(loaded, func(p *app.Printer) {
			p.Line("imported %s of guidelines and %s of the audit; all other records of the file were already in the store",
				app.Count(int(loaded.Revisions), "version"), app.Count(int(loaded.Entries), "entry"))
		})
	})
}

// openDump opens a file of any size. If name is -, it opens stdin.
func openDump(a *app.App, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.Stdin), nil
	}
	shown := document.Printable(name)
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, app.Failf("%s: is not a regular file; pass the path of a file that export --all wrote, or pass - and "+
			"send this file to stdin",
			shown)
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

// maxRecord is the largest length of a line in a dump. Guidelines and audit entries are much shorter.
const maxRecord = 32 << 20

// records() yields the records of a dump, one for each line. It stops at the first error. The error for a wrong record
// contains the number of the line.
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
