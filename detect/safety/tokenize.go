package safety

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The type "token" is a word of a text, or a sign that patterns can name. The fields "start" and "end" are positions in
// the text, in code points.
type token struct {
	word, class wordID
	start, end  int32
	// The field "sum" is a hash of the word. Words that the rules do not name have a hash too. The field "stem" is a hash
	// of the word without its ending. For signs, both fields are 0.
	sum, stem uint32
}

// tokenizer turns a text into tokens. It folds the text on the way: it composes letters (NFKC), writes them in lower
// case and leaves out signs that are not visible.
type tokenizer struct {
	words *words
	// If the field "everything" is set, code is read like prose.
	everything bool
	// The field "shouting" is set if a text has more upper-case letters than lower-case letters.
	shouting bool
	tokens   []token
	// The field "folded" is the current chunk in folded form. For each byte of this field, the field "points" has the
	// position of the byte's character in the text, in code points. The field "after" is the position after the chunk.
	folded []byte
	points []int32
	after  int32
	// The field "open" is set if the current sentence has tokens.
	open bool
}

// tokenize() returns the tokens of a text. Each sentence begins with the token #start and ends with the token #end.
func tokenize(text string, parts []part, w *words, everything bool) []token {
	z := tokenizer{words: w, everything: everything, shouting: isShouting(text)}
	z.tokens = make([]token, 0, len(text)/4+8)
	point := int32(0)
	for _, p := range parts {
		if p.isProse || everything {
			point = z.prose(text[p.start:p.end], point)
			continue
		}
		length := int32(utf8.RuneCountInString(text[p.start:p.end]))
		if !strings.HasPrefix(text[p.start:], "`") || strings.Contains(text[p.start:p.end], "\n") {
			z.endSentence(point)
		} else {
			z.add(token{word: z.words.code, start: point, end: point + length})
		}
		point += length
	}
	z.endSentence(point)
	return z.tokens
}

func isShouting(text string) bool {
	upper, lower := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			upper++
		}
	}
	return upper > lower
}

// prose() reads a part of a text. The parameter "point" is the position of the part, in code points. The result is the
// position after the part.
func (z *tokenizer) prose(text string, point int32) int32 {
	for at := 0; at < len(text); {
		r, size := decode(text[at:])
		if isSpace(r) {
			if r == '\n' && endsAtLine(text[at+size:]) {
				z.endSentence(point)
			}
			at, point = at+size, point+1
			continue
		}
		end, isASCII := chunkEnd(text, at)
		point = z.chunk(text[at:end], point, isASCII)
		at = end
	}
	return point
}

// chunkEnd returns the end of the chunk that begins at an index, and whether the chunk has only ASCII characters. A
// chunk is a run of characters without spaces.
func chunkEnd(text string, at int) (end int, isASCII bool) {
	isASCII = true
	for at < len(text) {
		r, size := decode(text[at:])
		if isSpace(r) {
			break
		}
		isASCII = isASCII && r < utf8.RuneSelf
		at += size
	}
	return at, isASCII
}

// endsAtLine reports whether a sentence ends before a line. The sentence continues only if the line begins with a
// lower-case letter.
func endsAtLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	r, _ := utf8.DecodeRuneInString(line)
	return !unicode.IsLower(r)
}

func decode(text string) (rune, int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), 1
	}
	return utf8.DecodeRuneInString(text)
}

func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\v' || r == '\f'
	}
	return unicode.IsSpace(r)
}

// isHidden reports whether a character is not visible: it has no width, or it sets the direction of writing.
func isHidden(r rune) bool {
	switch {
	case r == '\u00ad', r == '\u034f', r == '\u061c', r == '\ufeff', '\u200b' <= r && r <= '\u200f',
		'\u202a' <= r && r <= '\u202e', '\u2060' <= r && r <= '\u206f', '\ufe00' <= r && r <= '\ufe0f':
		return true
	}
	return false
}

// chunk() reads a run of characters without spaces. The parameter "point" is the position of the run, in code points.
// The result is the position after the run.
func (z *tokenizer) chunk(text string, point int32, isASCII bool) int32 {
	z.folded, z.points = z.folded[:0], z.points[:0]
	if isASCII {
		for i := range len(text) {
			c := text[i]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			z.folded = append(z.folded, c)
			z.points = append(z.points, point+int32(i))
		}
		z.after = point + int32(len(text))
	} else {
		z.foldChunk(text, point)
	}
	z.split(text, isASCII)
	return z.after
}

// foldChunk folds a run with characters beyond ASCII. Every byte of the result points to the character from which it
// came.
// If several characters were composed, the byte points to the first of them.
func (z *tokenizer) foldChunk(text string, point int32) {
	for at := 0; at < len(text); {
		size := norm.NFKC.NextBoundaryInString(text[at:], true)
		if size <= 0 {
			size = len(text) - at
		}
		segment := text[at : at+size]
		visible := strings.Map(func(r rune) rune {
			if isHidden(r) {
				return -1
			}
			return r
		}, segment)
		for _, r := range norm.NFKC.String(visible) {
			before := len(z.folded)
			z.folded = appendFolded(z.folded, r)
			for range len(z.folded) - before {
				z.points = append(z.points, point)
			}
		}
		point += int32(utf8.RuneCountInString(segment))
		at += size
	}
	z.after = point
}

// appendFolded appends a character in lower case, with plain apostrophes, quotes and hyphens. A dash becomes a comma.
func appendFolded(to []byte, r rune) []byte {
	switch r {
	case '’', '‘', 'ʼ', '`', '´':
		return append(to, '\'')
	case '“', '”', '„', '«', '»':
		return append(to, '"')
	case '‐', '‑', '−':
		return append(to, '-')
	case '–', '—':
		return append(to, ',')
	case '…':
		return append(to, "..."...)
	case 'İ':
		return append(to, 'i')
	}
	return utf8.AppendRune(to, unicode.ToLower(r))
}

// split() divides the current chunk into words and signs.
func (z *tokenizer) split(text string, isASCII bool) {
	from, to := trimSigns(z.folded)
	if from == to {
		z.signs(0, len(z.folded))
		return
	}
	if !z.everything && isASCII && isCode(text[from:to]) {
		z.signs(0, from)
		z.add(token{word: z.words.code, start: z.points[from], end: z.pointAt(to)})
		z.signs(to, len(z.folded))
		return
	}
	at := 0
	for at < len(z.folded) {
		end := z.wordEnd(at)
		if end == at {
			end = z.signsEnd(at)
			z.signs(at, end)
		} else {
			z.wordAt(at, end, text, isASCII)
		}
		at = end
	}
}

// trimSigns returns the borders of a chunk without the signs around it.
func trimSigns(folded []byte) (from, to int) {
	isSign := func(r rune) bool { return strings.ContainsRune(`.,;:!?"'()[]*~`, r) }
	to = len(bytes.TrimRightFunc(folded, isSign))
	from = to - len(bytes.TrimLeftFunc(folded[:to], isSign))
	return from, to
}

// isCode reports whether a run without spaces is a name, a path, an option or an expression, not a word.
func isCode(text string) bool {
	if isOfChats(text) {
		return false
	}
	slashes := strings.Count(text, "/")
	if strings.ContainsAny(text, "_=\\{}<>|@#$&^+%") {
		return !isMoney(text) && text[len(text)-1] != '%'
	}
	if text[0] == '/' || text[0] == '-' && len(text) > 1 || slashes > 1 {
		return true
	}
	for i := 1; i+1 < len(text); i++ {
		before, c, after := text[i-1], text[i], text[i+1]
		switch {
		case c == '.' && isASCIILetter(before) && 'a' <= after && after <= 'z':
			return true
		case (c == ':' || c == '(') && (after == ':' || after == ')'), c == '(' && isASCIILetter(before) && isASCIILetter(after):
			return true
		case 'A' <= c && c <= 'Z' && 'a' <= before && before <= 'z' && 'a' <= text[0] && text[0] <= 'z':
			return true
		}
	}
	return false
}

// isOfChats reports whether a word has signs because people write so to each other: an emoticon, a hashtag, the name of a
// person after an at sign, or an e-mail address.
func isOfChats(text string) bool {
	switch text {
	case "_", "<3", "^", "^^":
		return true
	}
	name, domain, isAddress := strings.Cut(text, "@")
	switch {
	case text[0] == '#' || text[0] == '@':
		return isPlain(text[1:], "_") && !isDirective(text[1:])
	case isAddress:
		return isPlain(name, "._-+") && isPlain(domain, ".-") && strings.Contains(domain, ".")
	}
	return len(text) == len("^_^") && text[1] == '_' && text[0]|' ' == text[2]|' '
}

// isDirective reports whether a word is one of those that often follow # or @ in program code.
func isDirective(word string) bool {
	switch word {
	case "include", "define", "ifdef", "ifndef", "endif", "pragma", "import", "Override", "Test", "Autowired", "Component", "Bean":
		return true
	}
	return false
}

// isPlain reports whether a text has letters, digits and the given signs, and begins with a letter.
func isPlain(text, signs string) bool {
	for i := range len(text) {
		if c := text[i]; !isASCIILetter(c) && (i == 0 || !isASCIIDigit(c) && strings.IndexByte(signs, c) < 0) {
			return false
		}
	}
	return text != ""
}

// isMoney reports whether a word is a sum such as $500.
func isMoney(text string) bool {
	return text[0] == '$' && len(text) > 1 && isASCIIDigit(text[1])
}

// wordEnd returns the end of the word that begins at an index of the chunk. If no word begins there, it returns the
// index.
func (z *tokenizer) wordEnd(at int) int {
	end := at
	for end < len(z.folded) {
		c := z.folded[end]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' || isASCIIDigit(c) || c == '\'' && end > at && z.isLetterAt(end+1) {
				end++
				continue
			}
			break
		}
		r, size := utf8.DecodeRune(z.folded[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			break
		}
		end += size
	}
	return end
}

func (z *tokenizer) isLetterAt(at int) bool {
	if at >= len(z.folded) {
		return false
	}
	r, _ := utf8.DecodeRune(z.folded[at:])
	return unicode.IsLetter(r)
}

// wordAt adds a token for the word folded[at:end] of the current chunk. If the word ends with "'s", this ending gets a
// token of its own.
func (z *tokenizer) wordAt(at, end int, text string, isASCII bool) {
	word := z.folded[at:end]
	if owner, found := bytes.CutSuffix(word, []byte("'s")); found && len(owner) > 0 && z.words.find(word) == 0 {
		z.wordAt(at, end-2, text, isASCII)
		z.add(token{word: z.words.possessive, start: z.points[end-2], end: z.pointAt(end)})
		return
	}
	t := token{start: z.points[at], end: z.pointAt(end)}
	if isASCII {
		t.class = z.classOf(text[at:end], at > 0 && text[at-1] == '$')
	}
	t.sum, t.stem = sumOf(word), sumOf(stemOf(word))
	t.word = z.words.find(word)
	if parts := z.words.alias(t.word); parts != nil {
		for _, id := range parts {
			t.word = id
			z.add(t)
		}
		return
	}
	z.add(t)
}

// classOf returns the class of a word as it was written: a number, a sum of money, an acronym or a name.
func (z *tokenizer) classOf(word string, afterDollar bool) wordID {
	first := word[0]
	switch {
	case isASCIIDigit(first):
		return z.words.classOfNumber(word, afterDollar)
	case first < 'A' || first > 'Z' || z.shouting:
		return 0
	case isUpper(word):
		if 2 <= len(word) && len(word) <= 5 {
			return z.words.caps
		}
	case len(word) > 1 && z.open:
		return z.words.name
	}
	return 0
}

// sumOf returns a hash of a word. The hash is never 0.
func sumOf(word []byte) uint32 {
	sum := uint32(2166136261) // FNV-1a
	for _, c := range word {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return max(sum, 1)
}

func isUpper(word string) bool {
	for i := range len(word) {
		if word[i] < 'A' || word[i] > 'Z' {
			return false
		}
	}
	return true
}

// pointAt returns the position in the text, in code points, for an index of the current chunk.
func (z *tokenizer) pointAt(i int) int32 {
	if i < len(z.points) {
		return z.points[i]
	}
	return z.after
}

func (z *tokenizer) signsEnd(at int) int {
	for at < len(z.folded) && z.wordEnd(at) == at {
		_, size := utf8.DecodeRune(z.folded[at:])
		at += size
	}
	return at
}

// signs() reads folded[at:end] of the current chunk, which has no word. A sign can end a sentence or count as a comma.
func (z *tokenizer) signs(at, end int) {
	signs := z.folded[at:end]
	if len(signs) == 0 {
		return
	}
	point, after := z.pointAt(at), z.pointAt(end)
	switch {
	case bytes.ContainsAny(signs, "!?;"):
		z.endSentence(point)
	case bytes.Contains(signs, []byte("..")):
		z.addComma(point, after)
	case signs[0] == '.' || signs[len(signs)-1] == '.':
		z.endSentence(point)
	case bytes.ContainsAny(signs, ",:()\"") || string(signs) == "-" && end-at == len(z.folded):
		z.addComma(point, after)
	}
}

func (z *tokenizer) addComma(start, end int32) {
	if z.open {
		z.add(token{word: z.words.comma, start: start, end: end})
	}
}

func (z *tokenizer) add(t token) {
	if !z.open {
		z.open = true
		z.tokens = append(z.tokens, token{word: z.words.start, start: t.start, end: t.start})
	}
	z.tokens = append(z.tokens, t)
}

func (z *tokenizer) endSentence(point int32) {
	if z.open {
		z.open = false
		z.tokens = append(z.tokens, token{word: z.words.end, start: point, end: point})
	}
}
