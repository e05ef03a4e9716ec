//go:build unix

package run

import (
	"strings"
	_ "unsafe" // for the list below
)

// startEnvironment returns the variables with which the process was started.
//
//go:linkname startEnvironment syscall.runtime_envs
func startEnvironment() []string

// environment looks variables up. os.Getenv would first make a map of all of them, which takes longer than going through
// the list a few times; of two entries with the same name both take the first.
func environment() func(string) string {
	list := startEnvironment()
	return func(name string) string {
		for _, entry := range list {
			if len(entry) > len(name) && entry[len(name)] == '=' && strings.HasPrefix(entry, name) {
				return entry[len(name)+1:]
			}
		}
		return ""
	}
}
