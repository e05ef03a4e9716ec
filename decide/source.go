package decide

import (
	"path"
	"strings"
)

const sourceExtensions = " .go .py .pyx .js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .rb .rake .php .java .kt " +
	".kts .scala .groovy .clj .cljs .cljc .cs .fs .vb .c .h .cc .cpp .cxx .hpp .hh .hxx .m .mm .swift .rs .zig .nim .d .v " +
	".dart .ex .exs .erl .hrl .hs .lhs .ml .mli .elm .gleam .lua .pl .pm .r .jl .f90 .f95 .pas .cr .sol .sql .proto " +
	".graphql .gql .sh .bash .zsh .fish .bats .ps1 .psm1 .awk .s .asm .cu .wgsl .glsl .erb .ejs " +
	".hbs .twig .jinja .j2 .tmpl "

// IsSource reports whether a file name has an extension of source code. After a change of source code, the tests must
// pass again. Documents, styles, data, lock files and settings are not source code.
func IsSource(name string) bool {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	if ext == "" || !strings.Contains(sourceExtensions, " "+ext+" ") || strings.HasPrefix(base, ".") {
		return false
	}
	stem := strings.TrimSuffix(base, ext)
	return !strings.HasSuffix(stem, ".config") && !strings.HasSuffix(stem, ".conf")
}

// IsTestFile reports whether a file seems to contain tests, because of its name.
func IsTestFile(name string) bool {
	if !IsSource(name) && !strings.HasSuffix(name, ".feature") {
		return false
	}
	for _, part := range strings.Split(strings.TrimSuffix(name, path.Ext(name)), "/") {
		if namesTests(part) {
			return true
		}
	}
	return false
}

// namesTests reports whether one of the words in a name is "test", "spec", "unittest", the plural of one of these, or
// "cy" (for Cypress). A word ends before any character that is not a letter, and before a capital letter that begins a
// new word.
func namesTests(name string) bool {
	begin := 0
	for i := 0; i <= len(name); i++ {
		ends := i == len(name) || !isLetter(name[i]) || i > begin && beginsWord(name, i)
		if !ends {
			continue
		}
		switch strings.ToLower(name[begin:i]) {
		case "test", "tests", "spec", "specs", "unittest", "unittests", "cy":
			return true
		}
		if begin = i; i < len(name) && !isLetter(name[i]) {
			begin = i + 1
		}
	}
	return false
}

// beginsWord reports whether the capital letter at index i begins a word. In fooTest and in APITest, the T of Test
// begins a word.
func beginsWord(name string, i int) bool {
	next := i + 1
	return isUpper(name[i]) && (!isUpper(name[i-1]) || next < len(name) && isLetter(name[next]) && !isUpper(name[next]))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
