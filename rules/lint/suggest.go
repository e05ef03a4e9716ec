package lint

import (
	"fmt"

	"guardrails/internal/document"
)

// nearest is the known name that was probably meant: the same but for its case or hyphens, or at most two slips away.
func nearest(name string, known []string) string {
	return document.Nearest(name, known, min(2, len(name)/3))
}

// didYouMean is the remedy when a name is probably a slip, and otherwise the given one; a slip is an error.
func didYouMean(suggestion, otherwise string) (Severity, string) {
	if suggestion == "" {
		return Warning, otherwise
	}
	return Error, fmt.Sprintf("did you mean %q?", suggestion)
}
