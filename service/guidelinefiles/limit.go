package guidelinefiles

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// These limits apply to the guidelines of a project if the user or the administrator has guidelines too. If the project
// had more guidelines, a hook would have no time left to check the guidelines of the user and the administrator.
const (
	maxFiles      = 1000
	maxBytes      = 1 << 20
	maxGuidelines = 2000
)

// readLimited reads the guidelines in packs and files. If there are higher layers, and the project exceeds one of the
// limits, readLimited reads only the packs.
func readLimited(sources []string, problems document.Problems, c *config.Config) *rules.Loaded {
	if !c.HasHigher() {
		return read(sources, problems)
	}
	what := excess(sources)
	if what == "" {
		loaded := read(sources, problems)
		if len(loaded.Guidelines) <= maxGuidelines {
			return loaded
		}
		what = strconv.Itoa(maxGuidelines) + " guidelines"
	}
	return read(packs(c.Packs), append(problems, document.Problem{
		File: filepath.FromSlash(product.GuidelinesFolder), Message: "has more than " + what,
		Remedy: "remove some; hooks have no time to read more",
	}))
}

// excess() describes the limit that the files exceed. If they exceed no limit, excess() returns "".
func excess(sources []string) string {
	count, size := 0, int64(0)
	for _, name := range sources {
		if strings.HasPrefix(name, PackPrefix) {
			continue
		}
		if count++; count > maxFiles {
			return strconv.Itoa(maxFiles) + " files"
		}
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	if size > maxBytes {
		return strconv.Itoa(maxBytes>>20) + " MiB of guidelines"
	}
	return ""
}
