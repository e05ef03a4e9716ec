package cache

import (
	"bytes"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// Most calls need only a few small guidelines. The buffers have only a few sizes, because each additional size costs a
// hook a page of memory.
const (
	usualCount = 8
	usualText  = 1 << 10
	usualTexts = 4 << 10
)

// Relevant returns all layers, but only with the guidelines that may decide about a call. The decision is the same as
// with all guidelines.
func (c *Cache) Relevant(call *effect.Analysis) ([]Layer, error) {
	questions := questionsOf(call)
	out := make([]Layer, len(c.layers))
	for i := range out {
		out[i] = c.layers[i].Layer
	}
	last, current := int64(-1), 0
	for rest := c.index; len(rest) > 0; {
		var text []byte
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			text, rest = rest[:end], rest[end+1:]
		} else {
			text, rest = rest, nil
		}
		line, ok := parseLine(text)
		if !ok {
			return nil, ErrBroken
		}
		c.events |= line.events
		if !line.mayFit(questions) {
			continue
		}
		if !line.parseNeedles() {
			return nil, ErrBroken
		}
		if !line.fitsAny(questions) || line.at == last {
			continue
		}
		last = line.at
		g, err := c.guideline(&line)
		if err != nil {
			return nil, err
		}
		for current+1 < len(c.layers) && line.at >= c.layers[current+1].start {
			current++
		}
		into := &out[current].Guidelines
		if *into == nil {
			*into = make([]guideline.Guideline, 0, usualCount)
		}
		*into = append(*into, g)
	}
	return out, nil
}

// Empty reports whether the document contains no guidelines.
func (c *Cache) Empty() bool { return len(c.index) == 0 }

func (c *Cache) guideline(l *line) (guideline.Guideline, error) {
	text, err := c.part(c.bodies+l.at, l.size)
	if err != nil {
		return guideline.Guideline{}, ErrBroken
	}
	if !c.key.Fits(text, l.sum) {
		return guideline.Guideline{}, ErrUnsigned
	}
	if c.texts.Cap() == 0 {
		c.texts.Grow(usualTexts)
	}
	begin := c.texts.Len()
	c.texts.Write(text)
	g, err := guideline.Reread(c.texts.String()[begin:])
	if err != nil {
		return g, brokenBy{err}
	}
	return g, nil
}

// part() reads a part of the file. The result is valid only until the next call of part(), which may use the same
// buffer.
func (c *Cache) part(from int64, size int) ([]byte, error) {
	if end := from + int64(size); end <= int64(len(c.read)) {
		return c.read[from:end], nil
	}
	if size > cap(c.scratch) {
		c.scratch = make([]byte, max(size, usualText))
	}
	text := c.scratch[:size]
	_, err := c.file.ReadAt(text, from)
	return text, err
}

// The type "line" is a parsed line of the index.
type line struct {
	kinds  kindSet
	events eventSet
	at     int64
	size   int
	// The field "sum" is the signature of the guideline. The field "rest" holds the needles.
	sum, rest   []byte
	where, what []byte
}

// parseLine parses a line of the index, except for the needles.
func parseLine(text []byte) (l line, ok bool) {
	text = bytes.TrimSuffix(text, []byte{','})
	const fixed = len(`"` + noSum + `,`)
	if len(text) <= fixed || text[0] != '"' || text[fixed-1] != ',' || text[len(text)-1] != '"' {
		return l, false
	}
	l.sum = text[1 : fixed-1]
	r := fieldReader{rest: text[fixed : len(text)-1], ok: true}
	l.kinds = kindSet(r.number(16))
	l.events = eventSet(r.number(16))
	l.at = int64(r.number(10))
	l.size = int(r.number(10))
	l.rest = r.rest
	return l, r.ok && l.at >= 0 && l.at <= MaxSize && l.size > 0 && l.size <= MaxSize
}

// parseNeedles parses the needles of a line. It is a separate step, because most lines are rejected without their
// needles.
func (l *line) parseNeedles() bool {
	r := fieldReader{rest: l.rest, ok: true}
	l.where = r.field()
	l.what = r.rest
	return r.ok
}

// fieldReader reads the fields of a line. Commas separate the fields.
type fieldReader struct {
	rest []byte
	ok   bool
}

func (r *fieldReader) field() []byte {
	end := bytes.IndexByte(r.rest, ',')
	if end < 0 {
		r.ok = false
		return nil
	}
	field := r.rest[:end]
	r.rest = r.rest[end+1:]
	return field
}

func (r *fieldReader) number(base int) uint64 {
	var n uint64
	field := r.field()
	for _, c := range field {
		digit := int(c) - '0'
		if c > '9' {
			digit = int(c) - 'a' + 10
			r.ok = r.ok && digit >= 10
		}
		r.ok = r.ok && digit >= 0 && digit < base
		n = n*uint64(base) + uint64(digit)
	}
	r.ok = r.ok && len(field) > 0 && len(field) <= 16
	return n
}

// A question asks which lines of the index concern an effect. It holds the properties of the effect that are compared
// with the lines.
type question struct {
	kind   kindSet
	events eventSet
	// The field "placed" is set if the effect has a path or related paths. The field "vague" is set if any of
	// these paths is only partly known.
	placed, vague bool
	// The field "text" contains the text of the effect, which is searched for needles. The field "trees" lists
	// folders. The effect concerns everything in these folders.
	text  string
	trees []string
	// The field "parts" is set only if the call has many effects.
	parts *parts
}

func questionsOf(call *effect.Analysis) []question {
	if len(call.Effects) > manyEffects {
		return fewQuestions(call)
	}
	out := make([]question, 0, len(call.Effects))
	for i := range call.Effects {
		out = append(out, questionOf(&call.Effects[i], call.Tool))
	}
	if len(out) == 0 {
		out = append(out, question{kind: kindUse, text: toolText(call.Tool)})
	}
	return out
}

func questionOf(e *effect.Effect, tool string) question {
	q := question{kind: kindOf(e.Kind)}
	for _, event := range e.Events {
		q.events |= eventBit(string(event))
	}
	q.events |= eventBit(string(e.FileEvent()))
	parts := make([]string, 0, 8)
	parts = append(parts, toolText(tool), e.Path, e.Command, e.Host, e.Name)
	parts = append(append(parts, e.Forms...), e.Inside...)
	q.vague = e.Glob || e.Unknown || strings.ContainsAny(strings.Join(e.Inside, "/"), "*?[")
	q.placed = e.Path != "" || len(e.Related) > 0
	if e.Tree {
		q.trees = append(q.trees, strings.ToLower(e.Path))
	}
	for _, related := range e.Related {
		parts = append(parts, related)
		q.trees = append(q.trees, strings.ToLower(related))
		q.vague = q.vague || strings.ContainsAny(related, "*?[")
	}
	if e.Kind == effect.Run && e.Name != "" { // the command starts an agent
		q.kind |= kindUse
		parts = append(parts, "agent")
	}
	q.text = strings.ToLower(strings.Join(parts, "\n"))
	return q
}

// toolText returns the name of a tool in lower case. For Task it adds Agent, the client's other name for this tool.
func toolText(tool string) string {
	if tool == "Task" {
		return "task agent"
	}
	return strings.ToLower(tool)
}

func (l *line) mayFit(questions []question) bool {
	for i := range questions {
		if l.concerns(&questions[i]) {
			return true
		}
	}
	return false
}

// concerns() reports whether the kind and the events of an effect match a line.
func (l *line) concerns(q *question) bool {
	return l.kinds&q.kind != 0 && (l.events == 0 || l.events&q.events != 0)
}

func (l *line) fitsAny(questions []question) bool {
	for i := range questions {
		if l.fits(&questions[i]) {
			return true
		}
	}
	return false
}

func (l *line) fits(q *question) bool {
	return l.concerns(q) && (len(l.where) == 0 || q.placed && q.containsAny(l.where)) && q.containsAny(l.what)
}

// containsAny reports whether the text contains one of the needles. It also returns true if there are no needles, or if
// the paths of the effect are only partly known.
func (q *question) containsAny(needles []byte) bool {
	if len(needles) == 0 || q.vague {
		return true
	}
	for len(needles) > 0 {
		needle := needles
		if end := bytes.IndexByte(needles, '|'); end >= 0 {
			needle, needles = needles[:end], needles[end+1:]
		} else {
			needles = nil
		}
		if q.hasOne(needle) {
			return true
		}
	}
	return false
}

func (q *question) hasOne(needle []byte) bool {
	head := len(needle) > 0 && needle[0] == '^'
	if head {
		needle = needle[1:]
	}
	text := string(needle)
	if q.parts.mayHave(text) && strings.Contains(q.text, text) {
		return true
	}
	for _, tree := range q.trees {
		if !head || tree == "." || pattern.IsRooted(tree) || strings.HasPrefix(text, tree) || strings.HasPrefix(tree, text) {
			return true
		}
	}
	return false
}
