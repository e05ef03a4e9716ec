package session

import (
	"errors"
	"os"
	"strings"
	"time"

	"guardrails/internal/private"
)

// SweptName is the name of a file. The modification time of this file says when Sweep last ran.
const SweptName = "swept"

// draftAge is the age at which an unfinished file is removed. The process that wrote it was probably killed.
const draftAge = time.Hour

// Sweep removes the files of every session in which no file has changed for the given time. It also removes unfinished
// files of killed processes. It returns how many files it removed. It ignores files whose names do not belong to the
// product.
func Sweep(d *private.Dir, now time.Time, age time.Duration) (int, error) {
	files, err := ownFiles(d)
	if err != nil {
		return 0, err
	}
	last := map[string]time.Time{}
	for _, f := range files {
		if f.touched.After(last[f.group]) {
			last[f.group] = f.touched
		}
	}
	removed := 0
	var problems []error
	for _, f := range files {
		if now.Sub(last[f.group]) <= f.keep(age) {
			continue
		}
		existed, err := d.Remove(f.name)
		if existed {
			removed++
		}
		problems = append(problems, err)
	}
	return removed, errors.Join(problems...)
}

// ownFile is a file of the product. The group of a file is the session to which the file belongs. Each unfinished file
// is a group of its own.
type ownFile struct {
	name, group string
	touched     time.Time
}

func (f ownFile) keep(age time.Duration) time.Duration {
	if f.group == f.name {
		return draftAge
	}
	return age
}

// ownFiles lists the files whose names belong to the product. It skips a folder with such a name.
func ownFiles(d *private.Dir) ([]ownFile, error) {
	names, err := d.List("guardrails")
	if err != nil {
		return nil, err
	}
	var files []ownFile
	for _, name := range names {
		of := group(name)
		if of == "" {
			continue
		}
		if info, err := os.Lstat(d.Path(name)); err == nil && !info.IsDir() {
			files = append(files, ownFile{name, of, info.ModTime()})
		}
	}
	return files, nil
}

// group() returns the part of a file name that identifies the session. For an unfinished file, it returns the whole
// name. For a file that does not belong to the product, it returns "".
func group(name string) string {
	if strings.HasPrefix(name, private.DraftPrefix) {
		return name
	}
	rest, ours := strings.CutPrefix(name, filePrefix)
	session, kind, found := strings.Cut(rest, ".")
	if !ours || !found || !isOwnKind(kind) {
		return ""
	}
	return session
}

// isOwnKind reports whether the names of the product's files can end with the given text.
func isOwnKind(kind string) bool {
	if kind == "ledger" || kind == "gap" || kind == "json" || kind == "told" || kind == "granted" || kind == "client" ||
		kind == "own-files" || kind == "base" || kind == "talk" || kind == "turn" || kind == "answers" {
		return true
	}
	if agent, cache := strings.CutSuffix(kind, ".json"); cache {
		return private.IsWord(agent)
	}
	for _, prefix := range []string{"beat-", "ask-", "denied-", "allow-", "spent-", "agreed-", "approved-", "calls-", "loop-"} {
		if id, found := strings.CutPrefix(kind, prefix); found && id != "" {
			return private.IsWord(id)
		}
	}
	return false
}
