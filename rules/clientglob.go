package rules

import (
	"slices"
	"strings"

	"guardrails/internal/document"
)

// maxFolderStars limits how often one glob may contain **/, because each **/ doubles the number of patterns.
const maxFolderStars = 3

// clientPaths converts the client's field "paths" to a list of our patterns. This field is a list of globs, or a string
// of globs with commas between them. For each pattern, the result "origins" has the path of its glob in the file.
func clientPaths(d *document.Decoder, n *document.Node, path string) (out *document.Node, origins []string) {
	out = &document.Node{Kind: document.List, Line: n.Line}
	add := func(glob string, item *document.Node, at string) {
		patterns := clientPatterns(glob)
		if patterns == nil {
			d.Report(item, at, "contains **/ more than three times", "remove some; * also matches slashes")
		}
		for _, p := range patterns {
			out.Items = append(out.Items, text(item.Line, p))
			origins = append(origins, at)
		}
	}
	switch n.Kind {
	case document.String:
		for _, glob := range splitGlobs(n.Text) {
			add(glob, n, path)
		}
	case document.List:
		for i, item := range n.Items {
			if item.Kind != document.String {
				out.Items = append(out.Items, item)
				origins = append(origins, document.Index(path, i))
				continue
			}
			add(item.Text, item, document.Index(path, i))
		}
	default:
		// guideline.Decode reports a value that is neither a string nor a list.
		return n, nil
	}
	return out, origins
}

// splitGlobs splits a string at the commas that are not in braces.
func splitGlobs(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if glob := strings.TrimSpace(s[from:i]); glob != "" {
				out = append(out, glob)
			}
			from = i + 1
		case s[i] == '{':
			depth++
		case s[i] == '}' && depth > 0:
			depth--
		}
	}
	return out
}

// clientPatterns converts a glob of the client to our patterns. It returns nil if there would be too many patterns. As
// in gitignore, **/ also matches no folder at all, and a name with a slash at its end matches everything in that
// folder.
func clientPatterns(glob string) []string {
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasSuffix(glob, "/") && glob != "/" {
		glob += "**"
	}
	for strings.Contains(glob, "**/**/") {
		glob = strings.ReplaceAll(glob, "**/**/", "**/")
	}
	if strings.Count(glob, "**/") > maxFolderStars {
		return nil
	}
	var out []string
	for _, p := range withoutFolderStars(glob) {
		if p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if out == nil {
		return []string{glob}
	}
	return out
}

func withoutFolderStars(glob string) []string {
	head, tail, ok := strings.Cut(glob, "**/")
	if !ok {
		return []string{glob}
	}
	tails := withoutFolderStars(tail)
	var out []string
	for _, t := range tails {
		out = append(out, head+"**/"+t)
	}
	// In a**/b, the stars are a part of a name and do not stand for folders.
	if head == "" || strings.ContainsAny(head[len(head)-1:], "/{,") {
		for _, t := range tails {
			out = append(out, head+t)
		}
	}
	return out
}
