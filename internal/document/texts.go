package document

// Texts returns the values of a list as plain texts.
func Texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = string(list[i])
	}
	return out
}
