package program

import "strings"

// IsOctal reports whether a mode of chmod consists of digits.
func IsOctal(mode string) bool { return mode != "" && strings.Trim(mode, "01234567") == "" }

// SetsID reports whether a mode sets the bits that let a program run as its owner or group.
func SetsID(mode string) bool {
	if IsOctal(mode) {
		return len(mode) >= 4 && (mode[len(mode)-4]-'0')&6 != 0
	}
	for _, clause := range strings.Split(mode, ",") {
		if i := strings.IndexAny(clause, "+="); i >= 0 && strings.Contains(clause[i:], "s") {
			return true
		}
	}
	return false
}
