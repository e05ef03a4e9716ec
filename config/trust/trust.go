// Package trust records which projects a person trusts. The settings of a trusted project may loosen the user's
// settings. A record contains a hash of the project's files. If the files change, a person must trust the project
// again.
//
// Start with Holds and Trust. The records are in the user's state folder, where an agent cannot write.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Record says that a person trusts a project.
type Record struct {
	// Root is the root of the project.
	Root string `json:"root"`
	// Hash is the hash of the project's files when they were trusted.
	Hash string    `json:"hash"`
	Time time.Time `json:"time"`
	// The field "Changed" is set by List if the project's files have changed since they were trusted.
	Changed bool `json:"-"`
}

// maxFiles says how many guideline files a trusted project may have.
const maxFiles = 1000

// maxRecord is the largest size of a record in bytes.
const maxRecord = 64 << 10

// Hash returns the hash of the project's guardrails.yaml, policies and guideline files, because these files can loosen
// the settings of other layers.
func Hash(root string) (string, error) {
	sum := &summary{Hash: sha256.New(), left: document.MaxSize}
	for _, name := range []string{product.ConfigFile, product.PoliciesFile} {
		if err := sum.add(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(root, filepath.FromSlash(product.GuidelinesFolder))
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	if len(entries) > maxFiles {
		return "", errors.New(dir + " has too many files to be trusted")
	}
	for _, entry := range entries {
		if err := sum.add(filepath.Join(dir, entry.Name())); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// The type "summary" is the hash of several files. The field "left" says how many bytes the remaining files may have
// together. The size of the files is limited, because hooks wait for the hash.
type summary struct {
	hash.Hash
	left int64
}

// add() adds the name and the content of a file to the hash. It ignores a folder, and a file that does not exist.
func (sum *summary) add(name string) error {
	info, err := os.Stat(name)
	switch {
	case os.IsNotExist(err) || err == nil && info.IsDir():
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New(name + " is not a regular file")
	case info.Size() > sum.left:
		return errors.New(name + " is too large to be trusted, alone or together with the other files")
	}
	sum.left -= info.Size()
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // an error of Close does not matter after reading
	content := sha256.New()
	if _, err = io.Copy(content, io.LimitReader(f, document.MaxSize+1)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sum, "%q %x\n", filepath.Base(name), content.Sum(nil))
	return err
}

// File returns the path of a project's record, or "" if the environment does not set a folder for records.
func File(env func(string) string, root string) string {
	if dir := folder(env); dir != "" {
		return filepath.Join(dir, fileName(root))
	}
	return ""
}

// Holds returns two results for the project with the given root. The result "known" is true if a person has trusted
// the project at some time. The result "holds" is true if the project's files have not changed since that time.
func Holds(env func(string) string, root string) (known, holds bool) {
	file := File(env, root)
	if file == "" {
		return false, false
	}
	if _, err := os.Lstat(file); err != nil {
		return false, false // most projects have no record
	}
	d, err := open(env)
	if err != nil {
		return false, false
	}
	r, err := read(d, fileName(root))
	if errors.Is(err, private.ErrUnsigned) {
		return true, false // the record has no valid signature, but a person may have trusted the project
	}
	if err != nil || r.Root != root {
		return false, false
	}
	hash, err := Hash(root)
	return true, err == nil && hash == r.Hash
}

// Trust records that a person trusts the project with the given root. The parameter "hash" must be the hash of the
// files that the person has seen. Trust fails if the files have changed since then.
func Trust(env func(string) string, root, hash string, now time.Time) error {
	current, err := Hash(root)
	if err != nil {
		return err
	}
	if current != hash {
		return errors.New("the project's files have just changed; look at them again")
	}
	d, err := open(env)
	if err != nil {
		return err
	}
	text, err := json.Marshal(Record{Root: root, Hash: hash, Time: now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return d.Write(fileName(root), d.KeyOf(fileName(root)).Sign(text))
}

// Untrust removes the record of a project. It reports whether the project had a record.
func Untrust(env func(string) string, root string) (bool, error) {
	d, err := open(env)
	if err != nil {
		return false, err
	}
	return d.Remove(fileName(root))
}

// List returns the records of all projects.
func List(env func(string) string) ([]Record, error) {
	if _, err := os.Lstat(folder(env)); os.IsNotExist(err) {
		return nil, nil
	}
	d, err := open(env)
	if err != nil {
		return nil, err
	}
	names, err := d.List("")
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, name := range names {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		r, err := read(d, name)
		if errors.Is(err, private.ErrUnsigned) {
			continue // without a valid signature, a record does not count
		}
		if err != nil {
			return nil, err
		}
		hash, err := Hash(r.Root)
		r.Changed = err != nil || hash != r.Hash
		out = append(out, *r)
	}
	return out, nil
}

func read(d *private.Dir, name string) (*Record, error) {
	text, err := d.ReadSigned(name, maxRecord)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil || r.Root == "" {
		return nil, errors.New(d.Path(name) + " is damaged; remove it")
	}
	return r, nil
}

func open(env func(string) string) (*private.Dir, error) {
	state, err := private.StateDir(env)
	if err != nil {
		return nil, err
	}
	d, err := private.Open(filepath.Join(state, product.TrustFolder))
	if err != nil {
		return nil, err
	}
	return d.KeyIn(state), nil
}

// folder() returns the folder with the records. It returns "" if the environment does not set a state folder.
func folder(env func(string) string) string {
	state := product.StateDir(env)
	if state == "" {
		return ""
	}
	return filepath.Join(state, product.TrustFolder)
}

func fileName(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:16]) + ".json"
}
