package pattern

// Limits for the expansion of braces. Without these limits, a pattern with {a,b} ten times would expand to a thousand
// patterns.
const (
	maxBranches     = 64
	maxExpandedSize = 4 * MaxLength
)

// expand() returns the patterns without braces to which a pattern expands: {a,b}/x expands to a/x and b/x. A brace
// without a partner or without a comma is an ordinary character. The second result is false if there are too many
// patterns or if they are too long.
func expand(pattern string) ([]string, bool) {
	open, commas, end := outermostBrace(pattern)
	if end < 0 {
		return []string{pattern}, true
	}
	tails, ok := expand(pattern[end+1:])
	if !ok {
		return nil, false
	}
	var out []string
	from, size := open+1, 0
	for _, to := range append(commas, end) {
		heads, ok := expand(pattern[from:to])
		if !ok || len(out)+len(heads)*len(tails) > maxBranches {
			return nil, false
		}
		for _, h := range heads {
			for _, t := range tails {
				whole := pattern[:open] + h + t
				if size += len(whole); size > maxExpandedSize {
					return nil, false
				}
				out = append(out, whole)
			}
		}
		from = to + 1
	}
	return out, true
}

// outermostBrace finds the first pair of braces with a comma between them. If there is none, the result "end" is -1.
// outermostBrace keeps the open braces on a stack, so one pass is enough even if many braces have no partner.
func outermostBrace(pattern string) (open int, commas []int, end int) {
	type group struct {
		open   int
		commas []int
	}
	var stack []group
	best := group{open: -1}
	end = -1
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '[':
			if close := ClassEnd(pattern, i); close > 0 {
				i = close
			}
		case '{':
			stack = append(stack, group{open: i})
		case ',':
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				top.commas = append(top.commas, i)
			}
		case '}':
			if len(stack) == 0 {
				continue
			}
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(top.commas) > 0 && (best.open < 0 || top.open < best.open) {
				best, end = top, i
			}
			if len(stack) == 0 && best.open >= 0 {
				return best.open, best.commas, end
			}
		}
	}
	return best.open, best.commas, end
}
