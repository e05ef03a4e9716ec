package intake

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/spool"
	"guardrails/store"
)

// maxRecent is the number of bytes that Recent reads in a folder.
const maxRecent = 8 << 20

// Recent reads the newest lines in some folders of the spool, whether or not they were moved into a store. For each
// line that contains the given text and was written at the time "since" or later, Recent calls use() with the audit
// entry of the line. The entry has the tenant that the line names. Recent ignores lines that cannot be read. It begins
// with the newest file, and stops when the context is done.
func Recent(ctx context.Context, dirs []string, since time.Time, text string, use func(*store.Entry)) error {
	var problems []error
	for _, path := range dirs {
		dir, err := existing(path)
		if dir != nil && err == nil {
			err = recent(ctx, dir, since, []byte(text), use)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// recent() reads the lines of one folder. It begins with the newest file.
func recent(ctx context.Context, dir *private.Dir, since time.Time, text []byte, use func(*store.Entry)) error {
	names, _, err := sizes(dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	left := int64(maxRecent)
	for _, name := range slices.Backward(names) {
		if name < spool.FileName(since) || left <= 0 {
			return nil
		}
		f, err := openFile(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was removed in the meantime
		}
		if err != nil {
			return err
		}
		err = f.recent(ctx, max(0, f.size-left), since, text, use)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		left -= f.size
	}
	return nil
}

// recent() reads the lines of a file, beginning at an offset.
func (f *file) recent(ctx context.Context, at int64, since time.Time, text []byte, use func(*store.Entry)) error {
	for at < f.size {
		if err := ctx.Err(); err != nil {
			return err
		}
		lines, next, err := f.lines(at, true)
		if err != nil || next == at {
			return err
		}
		for _, p := range lines {
			if !bytes.Contains(p.text, text) {
				continue
			}
			r, err := spool.Parse(p.text)
			if err != nil {
				continue
			}
			e, err := line{r}.entry(p.id(p.text), r.Tenant, since)
			if err == nil && !e.Time.Before(since) {
				use(&e)
			}
		}
		at = next
	}
	return nil
}
