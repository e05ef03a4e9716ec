package document

import "strconv"

// notJSON stands for a NUL in the text, so that 0 can be the end of it.
const notJSON = 1

// next is the next byte that is no space, 0 at the end of the text.
func (p *jsonParser) next() byte {
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			if c == 0 {
				return notJSON
			}
			return c
		}
	}
	return 0
}

func (p *jsonParser) skip(c byte) bool {
	if p.next() != c {
		return false
	}
	p.pos++
	return true
}

func (p *jsonParser) word(node *Node) error {
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= 'a' && p.text[p.pos] <= 'z' {
		p.pos++
	}
	switch word := p.text[start:p.pos]; word {
	case "true", "false":
		node.Kind, node.Text = Bool, word
		return nil
	case "null":
		return nil
	}
	p.pos = start
	return p.unexpected("a value")
}

// numberLiteral keeps a number as it is written, once it is seen to be one.
func (p *jsonParser) numberLiteral() (string, error) {
	start := p.pos
	if p.text[p.pos] == '-' {
		p.pos++
	}
	whole := p.pos
	ok := p.digits() && (p.text[whole] != '0' || p.pos == whole+1)
	if ok && p.at('.') {
		p.pos++
		ok = p.digits()
	}
	if ok && (p.at('e') || p.at('E')) {
		p.pos++
		if p.at('+') || p.at('-') {
			p.pos++
		}
		ok = p.digits()
	}
	if !ok {
		return "", p.fail("has a number that JSON does not know", "write it as 12, -0.5 or 1e3")
	}
	return p.text[start:p.pos], nil
}

func (p *jsonParser) at(c byte) bool { return p.pos < len(p.text) && p.text[p.pos] == c }

func (p *jsonParser) digits() bool {
	start := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > start
}

func (p *jsonParser) fail(message, remedy string) error {
	return Problem{File: p.file, Line: p.line, Message: "is not JSON: " + message, Remedy: remedy}
}

func (p *jsonParser) cutOff() error {
	return p.fail("ends in the middle of the document", "write the rest of it")
}

func (p *jsonParser) unexpected(wanted string) error {
	if p.next() == 0 {
		return p.cutOff()
	}
	found := []rune(p.text[p.pos:min(p.pos+4, len(p.text))])[0]
	return p.fail(strconv.QuoteRune(found)+" stands where "+wanted+" is expected", "mend the syntax here")
}
