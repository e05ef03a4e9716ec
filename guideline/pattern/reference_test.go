package pattern

// slowMatch does what the manual of fnmatch describes. It tries every way to match, rune by rune. A table of failed
// attempts keeps the time reasonable.
func slowMatch(pattern, text string) bool {
	m := slowMatcher{pattern: []rune(pattern), text: []rune(text), failed: map[[2]int]bool{}}
	return m.from(0, 0)
}

type slowMatcher struct {
	pattern, text []rune
	failed        map[[2]int]bool
}

func (m *slowMatcher) from(p, t int) bool {
	if m.failed[[2]int{p, t}] {
		return false
	}
	ok := m.try(p, t)
	if !ok {
		m.failed[[2]int{p, t}] = true
	}
	return ok
}

func (m *slowMatcher) try(p, t int) bool {
	if p == len(m.pattern) {
		return t == len(m.text)
	}
	if m.pattern[p] == '*' {
		return m.from(p+1, t) || t < len(m.text) && m.from(p, t+1)
	}
	if t == len(m.text) {
		return false
	}
	switch m.pattern[p] {
	case '?':
		return m.from(p+1, t+1)
	case '[':
		if end := m.endOfClass(p); end > 0 {
			return slowClass(m.pattern[p+1:end], m.text[t]) && m.from(end+1, t+1)
		}
	}
	return m.pattern[p] == m.text[t] && m.from(p+1, t+1)
}

func (m *slowMatcher) endOfClass(p int) int {
	first := p + 1
	if first < len(m.pattern) && m.pattern[first] == '!' {
		first++
	}
	for i := first + 1; i < len(m.pattern); i++ {
		if m.pattern[i] == ']' {
			return i
		}
	}
	return -1
}

func slowClass(class []rune, r rune) bool {
	if class[0] == '!' {
		return !slowMember(class[1:], r)
	}
	return slowMember(class, r)
}

func slowMember(class []rune, r rune) bool {
	if len(class) == 0 {
		return false
	}
	if len(class) >= 3 && class[1] == '-' {
		return class[0] <= r && r <= class[2] || slowMember(class[3:], r)
	}
	return class[0] == r || slowMember(class[1:], r)
}

// matchesShellGlob is like slowMatch, but for a shell's glob without classes. The wildcards of such a glob do not match
// slashes.
func matchesShellGlob(glob, text string) bool {
	if glob == "" {
		return text == ""
	}
	if glob[0] == '*' && (matchesShellGlob(glob[1:], text) || text != "" && text[0] != '/' && matchesShellGlob(glob, text[1:])) {
		return true
	}
	if text == "" || glob[0] == '*' {
		return false
	}
	return (glob[0] == text[0] || glob[0] == '?' && text[0] != '/') && matchesShellGlob(glob[1:], text[1:])
}

// texts() returns all strings of characters in alphabet. A string has at most length characters.
func texts(alphabet string, length int) []string {
	out := []string{""}
	from := 0
	for range length {
		to := len(out)
		for _, prefix := range out[from:to] {
			for _, r := range alphabet {
				out = append(out, prefix+string(r))
			}
		}
		from = to
	}
	return out
}
