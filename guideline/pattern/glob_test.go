package pattern

import (
	"errors"
	"strings"
	"testing"
)

func TestGlobMatchesEveryAlternativeOfItsBraces(t *testing.T) {
	matchesAsTheTableSays(t, "braces.json")
}

func TestGlobOfEveryShortPatternAgreesWithTheReference(t *testing.T) {
	subjects := texts("ab/", 4)
	for _, pattern := range texts("a*?[]!", 5) {
		if pattern == "" {
			continue
		}
		g := mustGlob(t, pattern)
		for _, text := range subjects {
			if got, want := g.Match(text), slowMatch(pattern, text); got != want {
				t.Fatalf("%q matches %q: %v, want %v", pattern, text, got, want)
			}
		}
	}
}

func TestGlobFindsALongPartWithWildcards(t *testing.T) {
	for _, length := range []int{63, 64, 65, 128, 129, 300} {
		part := strings.Repeat("[ab]", length-1) + "c"
		if len(part) > MaxLength-2 {
			part = strings.Repeat("?", length-1) + "c"
		}
		g := mustGlob(t, "*"+part+"*")
		text := strings.Repeat("ab", length)
		if g.Match(text) {
			t.Errorf("length %d: matches a text without c", length)
		}
		if !g.Match(text+"c") || !g.Match(text+"c/x") {
			t.Errorf("length %d: does not match a text with c", length)
		}
		if g.Match(text[:length-2] + "c") {
			t.Errorf("length %d: matches a text that is one character short", length)
		}
	}
}

func TestGlobTreatsAnInvalidByteAsACharacterThatEqualsNoOther(t *testing.T) {
	for pattern, want := range map[string]bool{
		"?": true, "*": true, "[!a]": true, "*?x*": false, "\ufffd": false, "[\ufffd]": false, "[!é]": true, "*[\ufffd]?*": false,
	} {
		if got := mustGlob(t, pattern).Match("\xff"); got != want {
			t.Errorf("%q matches a broken byte: %v, want %v", pattern, got, want)
		}
	}
	if !mustGlob(t, "*[!é]x").Match("a\xffx") || mustGlob(t, "*[é]x*").Match("a\xffx") {
		t.Error("a broken byte inside a text is not one character of its own")
	}
}

func TestCompileGlobSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, pattern, want string }{
		{"empty", "", "is empty; write a pattern"},
		{"too long", strings.Repeat("a", 1025), "is longer than 1024 bytes; shorten it"},
		{"not UTF-8", "src/\xff", "is not valid UTF-8; save it as UTF-8"},
		{"newline", "src/\n*", "contains a control character at byte 4; remove it"},
		{"C1 control", "a\u0085", "contains a control character at byte 1; remove it"},
		{"line separator", "a\u2028b", "contains a control character at byte 1; remove it"},
		{"delete", "\x7f", "contains a control character at byte 0; remove it"},
		{"parent first", "../x", `contains ".."; write the path without it`},
		{"parent inside", "a/../b", `contains ".."; write the path without it`},
		{"parent out of braces", "a/{.,b}./c", `contains ".."; write the path without it`},
		{"segments", "1/2/3/4/5/6/7/8/9/10/11", "has 11 segments, but the limit is 10; replace the middle ones with **"},
		{"too many branches", strings.Repeat("{a,b}", 7), "expands to more than 64 patterns or 4096 bytes; write fewer alternatives"},
		{"too many alternatives", "{" + strings.Repeat("a,", 64) + "}", "expands to more than 64 patterns or 4096 bytes; write fewer alternatives"},
		{"too much text", strings.Repeat("a", 900) + "{1,2,3,4,5}", "expands to more than 64 patterns or 4096 bytes; write fewer alternatives"},
	} {
		g, err := CompileGlob(c.pattern)
		var bad *Error
		if g != nil || !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestCompileGlobAcceptsPatternsJustWithinTheLimits(t *testing.T) {
	for _, pattern := range []string{
		strings.Repeat("a", 1024), "1/2/3/4/5/6/7/8/9/10", "/1/2/3/4/5/6/7/8/9/10/", "1/2/3/4/5/**/6/7/8/9/10/**",
		strings.Repeat("{a,b}", 6), "{" + strings.Repeat("a,", 63) + "}", "..a/b..", "a/.../b", "a{..}b",
	} {
		if g := mustGlob(t, pattern); g.String() != pattern {
			t.Errorf("String() is %q, want %q", g.String(), pattern)
		}
	}
}

func TestRootedGlobs(t *testing.T) {
	for pattern, want := range map[string]bool{
		"/etc/*": true, "~/.ssh/**": true, "~": true, "c:/x": true, "*": true, "**": true, "{/etc,src}/*": true,
		"src/*": false, "*/x": false, "**/x": false, "?": false, "a:b": false, "{a,}": false,
	} {
		if got := mustGlob(t, pattern).Rooted(); got != want {
			t.Errorf("%q is rooted: %v, want %v", pattern, got, want)
		}
	}
	if IsRooted("") {
		t.Error("nothing is rooted")
	}
}
