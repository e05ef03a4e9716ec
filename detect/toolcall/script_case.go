package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// chosen are the items of a case that may be taken. In a script that is called with known words it is known which one:
// else a script with the word clean would be asked about whatever it is called for.
func (a *analyzer) chosen(c *syntax.CaseClause, word []value, sc *scope) []*syntax.CaseItem {
	if a.scripts.current() == 0 || len(word) > 1 || len(word) == 1 && (word[0].partial || word[0].glob) {
		return c.Items
	}
	text := ""
	if len(word) == 1 {
		text = word[0].text
	}
	var out []*syntax.CaseItem
	for _, item := range c.Items {
		fits, certain := a.fits(item, text, sc)
		if !fits {
			continue
		}
		out = append(out, item)
		if item.Op != syntax.Break {
			return c.Items
		}
		if certain {
			break
		}
	}
	return out
}

// fits reports whether an item of a case is taken for a word, and whether that is certain.
func (a *analyzer) fits(item *syntax.CaseItem, text string, sc *scope) (fits, certain bool) {
	for _, w := range item.Patterns {
		pattern := a.single(w, sc)
		switch {
		case pattern.partial || strings.ContainsAny(pattern.text, "?[(\\") || strings.ContainsRune(strings.Trim(pattern.text, "*"), '*'):
			fits = true
		case pattern.text == text || pattern.glob && matchesEnds(pattern.text, text):
			return true, true
		}
	}
	return fits, false
}

// matchesEnds matches a pattern that has its stars at the ends alone.
func matchesEnds(pattern, text string) bool {
	inner := strings.Trim(pattern, "*")
	before, behind := strings.HasPrefix(pattern, "*"), strings.HasSuffix(pattern, "*")
	switch {
	case before && behind:
		return strings.Contains(text, inner)
	case before:
		return strings.HasSuffix(text, inner)
	}
	return strings.HasPrefix(text, inner)
}
