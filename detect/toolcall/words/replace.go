package words

import "strings"

// Replace replaces texts. The parameter "pairs" contains each old text, followed by its new text. If several old texts
// occur at the same position, Replace uses the old text that comes first in the parameter "pairs". It does not use
// strings.NewReplacer, which would add 10 KB to the largest hook.
func Replace(text string, pairs ...string) string {
	var out strings.Builder
	for len(text) > 0 {
		old, put := text[:1], text[:1]
		for i := 0; i < len(pairs); i += 2 {
			if strings.HasPrefix(text, pairs[i]) {
				old, put = pairs[i], pairs[i+1]
				break
			}
		}
		out.WriteString(put)
		text = text[len(old):]
	}
	return out.String()
}
