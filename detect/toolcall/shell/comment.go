package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/literal"
)

// maxCommentPasses is the maximum number of times that endComments changes a script.
const maxCommentPasses = 3

// endComments replaces the backslash at the end of each comment with a space. In a shell, a comment always ends at the
// end of its line. The parser, however, continues after such a backslash: it adds the words of the next line to the
// command before the comment. The result "complete" is false if some comments still end with a backslash.
func endComments(text string) (ended string, complete bool) {
	for pass := 0; ; pass++ {
		found := continuedComments(text)
		if len(found) == 0 || pass == maxCommentPasses {
			return text, len(found) == 0
		}
		changed := []byte(text)
		for _, at := range found {
			changed[at] = ' '
		}
		text = string(changed)
	}
}

// continuedComments returns the offsets of the backslashes at the ends of comments.
func continuedComments(text string) []int {
	if !strings.Contains(text, "\\\n") && !strings.Contains(text, "\\\r\n") || !strings.Contains(text, "#") ||
		literal.NestsTooDeep(text) {
		return nil
	}
	var found []int
	note := func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			line, _, _ := strings.Cut(text[min(int(c.Hash.Offset()), len(text)):], "\n")
			line = strings.TrimSuffix(line, "\r")
			if strings.HasSuffix(line, "\\") {
				found = append(found, int(c.Hash.Offset())+len(line)-1)
			}
		}
		return true
	}
	// The parser attaches a comment to the statement that follows it. The added statement ":" is for the comments at
	// the end of the script.
	for stmt, err := range literal.NewParser(syntax.LangBash, syntax.KeepComments(true)).StmtsSeq(strings.NewReader(text + "\n:")) {
		// Errors are ignored here, because the analysis reports them. The parser can report the same error twice. So
		// the loop continues.
		if err == nil {
			syntax.Walk(stmt, note)
		}
	}
	return found
}
