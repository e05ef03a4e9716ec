package pattern

import "strings"

// Wider returns a glob that matches everything that a shell's glob matches, and more. It replaces "**/" with a star,
// because "**/" may match no folder at all.
func Wider(shell string) string { return strings.ReplaceAll(Plain(shell), "**/", "*") }

// Plain returns a shell's glob without classes and groups. Each class, such as [^a] or [[:alpha:]], becomes a question
// mark, because a shell and a guideline read classes in different ways. Each group, such as @(a|b), becomes a star.
func Plain(shell string) string {
	if !strings.ContainsAny(shell, "[(") {
		return shell
	}
	out := make([]byte, 0, len(shell))
	for i := 0; i < len(shell); i++ {
		switch {
		case shell[i] == '[':
			if end := shellClassEnd(shell, i); end > 0 {
				out, i = append(out, '?'), end
				continue
			}
		case strings.IndexByte("?*+@!", shell[i]) >= 0 && strings.HasPrefix(shell[i+1:], "("):
			out, i = append(out, '*'), groupEnd(shell, i+1)
			continue
		}
		out = append(out, shell[i])
	}
	return string(out)
}

// groupEnd returns the index of the bracket that closes the bracket at position i. If there is none, it returns the
// index of the last character.
func groupEnd(shell string, i int) int {
	depth := 0
	for j := i; j < len(shell); j++ {
		switch shell[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return len(shell) - 1
}

// shellClassEnd returns the index of the ] that ends the class at position i of a shell's glob. It returns -1 if there
// is none.
func shellClassEnd(shell string, i int) int {
	j := i + 1
	if j < len(shell) && (shell[j] == '!' || shell[j] == '^') {
		j++
	}
	if j < len(shell) && shell[j] == ']' {
		j++
	}
	for ; j < len(shell); j++ {
		if shell[j] == ']' {
			return j
		}
		if shell[j] != '[' || j+1 == len(shell) || strings.IndexByte(":.=", shell[j+1]) < 0 {
			continue
		}
		if k := strings.Index(shell[j+2:], shell[j+1:j+2]+"]"); k >= 0 {
			j += k + 3
		}
	}
	return -1
}

// maxDeep is the largest number of "**/" in a glob for which shallow() tries every combination.
const maxDeep = 4

// shallow() removes "**/" from a shell's glob in every combination, because "**/" can match no folder. It returns all
// results. For a/**/b, it returns a/**/b and a/b.
func shallow(glob string) []string {
	i := strings.Index(glob, "**/")
	if i < 0 {
		return []string{glob}
	}
	var out []string
	for _, rest := range shallow(glob[i+len("**/"):]) {
		out = append(out, glob[:i]+"**/"+rest, glob[:i]+rest)
	}
	return out
}
