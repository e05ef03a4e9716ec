package claude

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a client's version: major, minor, patch.
type Version [3]int

// Feature is something that only newer clients understand.
type Feature string

const (
	// OnFailure is the support for the key "onFailure" of a hook entry. If its value is "block" and the hook fails, the
	// client stops the call.
	OnFailure Feature = "onFailure"
	// DirectHooks is the support for hook entries that call a tool of an MCP server. If this tool fails, the client
	// stops the call that the hook checks. Clients since 2.1.118 accept such entries, but clients before 2.1.328 ignore
	// the key "onFailure" of these entries.
	DirectHooks Feature = "onFailure of mcp_tool"
)

// Oldest returns the oldest version with which guardrails is tested. Older versions can lack events or fields that the
// hooks need, such as the id of the subagent that makes a call.
func Oldest() Version { return Version{2, 1, 197} }

// Knows reports whether this version understands a feature.
func (v Version) Knows(f Feature) bool {
	switch f {
	case OnFailure:
		return v.AtLeast(Version{2, 1, 295})
	case DirectHooks:
		return v.AtLeast(Version{2, 1, 328})
	}
	return false
}

// AtLeast reports whether the version v is not older than the version in the parameter "other".
func (v Version) AtLeast(other Version) bool {
	for i := range v {
		if v[i] != other[i] {
			return v[i] > other[i]
		}
	}
	return true
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// ParseVersion reads the output of claude --version, such as "2.1.197 (Claude Code)". It ignores everything after the
// three numbers.
func ParseVersion(text string) (Version, error) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	word, _, _ := strings.Cut(strings.TrimPrefix(line, "v"), " ")
	word, _, _ = strings.Cut(strings.TrimSpace(word), "-")
	parts := strings.Split(word, ".")
	var v Version
	if len(parts) != len(v) {
		return Version{}, noVersion(line)
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || part[0] == '+' {
			return Version{}, noVersion(line)
		}
		v[i] = n
	}
	return v, nil
}

func noVersion(line string) error {
	const shown = 60
	if len(line) > shown {
		line = line[:shown] + "…"
	}
	return fmt.Errorf("%q is not a version such as 2.1.197", line)
}
