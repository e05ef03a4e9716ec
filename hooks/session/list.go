package session

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"
)

// List names the files whose names begin with a prefix, in order.
func (d *Dir) List(prefix string) ([]string, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, failed("cannot be listed", d.path, "", err)
	}
	defer closed(f)
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, failed("cannot be listed", d.path, "", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) || !plainName(name) })
	slices.Sort(names)
	return names, nil
}

// draftAge is how old a file that is not in place yet must be before its writer counts as killed.
const draftAge = time.Hour

// Sweep removes the files of sessions of which no file was touched for a time, and what killed writers left. It says how
// many files it removed; anything that is not named as our own stays.
func (d *Dir) Sweep(now time.Time, age time.Duration) (int, error) {
	files, err := d.ownFiles()
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
		was, err := d.Remove(f.name)
		if was {
			removed++
		}
		problems = append(problems, err)
	}
	return removed, errors.Join(problems...)
}

// ownFile is a file that is named as our own.
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

// ownFiles looks at all files that are named as our own. Folders are none of ours, whatever they are called.
func (d *Dir) ownFiles() ([]ownFile, error) {
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

// group is the session that a file belongs to, as it stands in its name; a draft is a group of its own. It is empty for
// what is not named as our own.
func group(name string) string {
	if strings.HasPrefix(name, draftPrefix) {
		return name
	}
	rest, ours := strings.CutPrefix(name, filePrefix)
	session, kind, found := strings.Cut(rest, ".")
	if !ours || !found || !ownKind(kind) {
		return ""
	}
	return session
}

// ownKind reports whether the rest of a name is one that key.go makes.
func ownKind(kind string) bool {
	if kind == "ledger" || kind == "gap" || kind == "json" || kind == "granted" {
		return true
	}
	if agent, cache := strings.CutSuffix(kind, ".json"); cache {
		return word(agent)
	}
	for _, prefix := range []string{"beat-", "ask-", "denied-", "allow-"} {
		if id, found := strings.CutPrefix(kind, prefix); found && id != "" {
			return word(id)
		}
	}
	return false
}
