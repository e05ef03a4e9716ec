//go:build unix

package run_test

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"guardrails/internal/fortests/need"
)

// eachCache returns a function that calls do() with the path of every session's cache.
func eachCache(do func(m *machine, path string)) func(*machine, []string) {
	return func(m *machine, sessions []string) {
		for _, of := range sessions {
			do(m, m.cache(of))
		}
	}
}

// rewritten() returns a function that replaces the content of a file.
func rewritten(change func(text []byte) []byte) func(*machine, string) {
	return func(m *machine, path string) {
		text, err := os.ReadFile(path)
		must(m.t, err)
		must(m.t, os.WriteFile(path, change(text), 0o600))
	}
}

// replaceFile returns a function that removes a file and then calls put(). put() must create something else at the same
// path.
func replaceFile(put func(m *machine, path string)) func(*machine, string) {
	return func(m *machine, path string) {
		must(m.t, os.RemoveAll(path))
		put(m, path)
	}
}

// replaced() replaces one part of a text with another. The test fails if the text does not contain the part.
func replaced(m *machine, text []byte, old, new string) []byte {
	if !bytes.Contains(text, []byte(old)) {
		m.t.Errorf("%q is not in %s", old, text)
	}
	return bytes.Replace(text, []byte(old), []byte(new), 1)
}

// stamped() returns a function that sets the time of each cache to the given distance from now, and signs the cache
// again.
func stamped(by time.Duration) func(*machine, []string) {
	return eachCache(func(m *machine, path string) {
		rewritten(func(text []byte) []byte { return m.sealed(path, text, time.Now().Add(by)) })(m, path)
	})
}

// cacheScenarios returns scenarios in which the file with the cached guidelines is damaged. The hook must not follow a
// link there, use wrong content, or wait.
func cacheScenarios() map[string]scenario {
	const evil = `{"format": "none of ours"}`
	return map[string]scenario{
		"the cache is missing": {spoil: eachCache(replaceFile(func(*machine, string) {}))},
		"the cache is empty":   {spoil: eachCache(rewritten(func([]byte) []byte { return nil }))},
		"the cache is cut off": {spoil: cutOff},
		"the head of the cache was altered": {spoil: eachCache(func(m *machine, path string) {
			rewritten(func(text []byte) []byte { return replaced(m, text, `"strict":false`, `"strict":folse`) })(m, path)
		})},
		"the guidelines in the cache were altered": {spoil: eachCache(func(m *machine, path string) {
			rewritten(func(text []byte) []byte { return replaced(m, text, `"id":"no-ui"`, `"id":5,"no":`) })(m, path)
		})},
		"the cache has expired":        {spoil: stamped(-301 * time.Second)},
		"the cache is from the future": {spoil: stamped(time.Hour)},
		"the cache has another version": {spoil: eachCache(func(m *machine, path string) {
			rewritten(func(text []byte) []byte { return replaced(m, text, `"format":`, `"farmat":`) })(m, path)
		})},
		"the cache is a link": {spoil: eachCache(replaceFile(func(m *machine, path string) {
			target := m.work + "/target" + strconv.Itoa(len(path))
			must(m.t, os.WriteFile(target, []byte(evil), 0o600))
			must(m.t, os.Symlink(target, path))
		}))},
		"the cache is a FIFO":   {spoil: eachCache(replaceFile(func(m *machine, path string) { must(m.t, syscall.Mkfifo(path, 0o600)) }))},
		"the cache is a folder": {spoil: eachCache(replaceFile(func(m *machine, path string) { must(m.t, os.MkdirAll(path+"/x", 0o700)) }))},
		"the cache has a second hard link": {spoil: eachCache(func(m *machine, path string) {
			must(m.t, os.Link(path, path+".second"))
		})},
		"others can write to the cache":     {spoil: eachCache(func(m *machine, path string) { must(m.t, os.Chmod(path, 0o622)) })},
		"the cache belongs to another user": {spoil: eachCache(func(m *machine, path string) { giveAway(m.t, path) })},
		"the cache is not readable": {spoil: func(m *machine, sessions []string) {
			eachCache(func(m *machine, path string) { must(m.t, os.Chmod(path, 0)) })(m, sessions)
			m.tasks = []string{noPrivileges}
		}},
	}
}

// cutOff shortens each cache to a different length.
func cutOff(m *machine, sessions []string) {
	for i, of := range sessions {
		text, err := os.ReadFile(m.cache(of))
		must(m.t, err)
		must(m.t, os.Truncate(m.cache(of), int64(len(text)*(i+1)/(len(sessions)+1))))
	}
}

// giveAway makes another user the owner of a file, which only root can do.
func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() == 0 {
		must(t, os.Lchown(path, 12345, 12345))
		return
	}
	if out, err := exec.Command("sudo", "-n", "chown", "-h", "12345", path).CombinedOutput(); err != nil {
		need.Missing(t, "only root, or a user of sudo without a password, can change the owner of a file: ", err, string(out))
	}
}
