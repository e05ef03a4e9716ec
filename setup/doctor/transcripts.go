package doctor

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/product"
)

// The client keeps a transcript of each session. doctor reads only three facts from a transcript: the project of the
// session, the time at which the session began, and whether a tool ran.
const (
	transcriptHead = 64 << 10
	transcriptTail = 256 << 10
	maxTranscripts = 50
)

// transcripts() returns the recent sessions of the project that have a transcript.
func (x *Examination) transcripts() map[string]*recent {
	found := map[string]*recent{}
	opened := 0
	for _, path := range transcriptFiles(x.Env, "*") {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || x.Now().Sub(info.ModTime()) >= lately || opened >= maxTranscripts {
			continue
		}
		opened++
		head, tail := firstAndLast(path, info.Size())
		if !mentionsProject(x.root, head, tail) || x.older(head) {
			continue
		}
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		found[id] = &recent{id: id, last: info.ModTime(), usedTools: bytes.Contains(tail, []byte(`"type":"tool_use"`))}
	}
	return found
}

// elsewhere() reports whether a session belongs to another project, according to the session's transcript. It returns
// false if there is no transcript.
func (x *Examination) elsewhere(id string) bool {
	for _, path := range transcriptFiles(x.Env, id) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			head, tail := firstAndLast(path, info.Size())
			return !mentionsProject(x.root, head, tail)
		}
	}
	return false
}

func transcriptFiles(env func(string) string, id string) []string {
	dir := product.ClientDir(env)
	if dir == "" {
		return nil
	}
	// The pattern is valid, because ids have only letters, digits and hyphens. Transcripts in a folder with brackets in
	// its name are not found.
	paths, _ := filepath.Glob(filepath.Join(dir, "projects", "*", id+".jsonl"))
	return paths
}

// firstAndLast returns the first and last bytes of a file, or nothing if the file cannot be read.
func firstAndLast(path string, size int64) (head, tail []byte) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	head, _ = io.ReadAll(io.NewSectionReader(file, 0, transcriptHead))
	tail, _ = io.ReadAll(io.NewSectionReader(file, max(0, size-transcriptTail), transcriptTail))
	return head, tail
}

// mentionsProject reports whether a transcript mentions the project's root or a folder below it.
func mentionsProject(root string, parts ...[]byte) bool {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	quoted, err := json.Marshal(root)
	if err != nil {
		return false
	}
	begin := append([]byte(`"cwd":`), bytes.TrimSuffix(quoted, []byte(`"`))...)
	for _, part := range parts {
		for _, next := range []string{`"`, `/`, `\\`} {
			if bytes.Contains(part, append(begin[:len(begin):len(begin)], next...)) {
				return true
			}
		}
	}
	return false
}

// older() reports whether a session began before the hooks were installed. The parameter "head" is the beginning of
// the session's transcript.
func (x *Examination) older(head []byte) bool {
	const key = `"timestamp":"`
	i := bytes.Index(head, []byte(key))
	if i < 0 {
		return true
	}
	text, _, _ := strings.Cut(string(head[i+len(key):]), `"`)
	began, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return true
	}
	for _, f := range x.files {
		if info, err := os.Stat(f.Path); err == nil && len(f.ours()) > 0 && info.ModTime().Before(began) {
			return false
		}
	}
	return true
}
