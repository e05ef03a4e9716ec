package cache

import (
	"slices"
	"strconv"
	"time"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/internal/document"
)

// Encode returns the document without its time and signatures. Seal adds them.
func Encode(b *Body) ([]byte, error) {
	const usual = 640 // the size of a usual guideline, in bytes
	guidelines := 0
	for i := range b.Layers {
		guidelines += len(b.Layers[i].Guidelines)
	}
	e := encoding{bodies: make([]byte, 0, usual*guidelines)}
	for i := range b.Layers {
		e.starts = append(e.starts, len(e.bodies))
		for n := range b.Layers[i].Guidelines {
			if err := e.add(&b.Layers[i].Guidelines[n]); err != nil {
				return nil, err
			}
		}
	}
	return e.assemble(b), nil
}

// The type "encoding" holds the parts of a document while Encode builds it.
type encoding struct {
	index, bodies, restrictions []byte
	// The field "starts" contains one entry per layer: the position in the field "bodies" at which the layer's
	// guidelines begin.
	starts []int
}

func (e *encoding) add(g *guideline.Guideline) error {
	text, err := encodeForCalls(g)
	if err != nil {
		return unwritable{g.ID, err}
	}
	e.bodies = separated(e.bodies)
	for _, s := range selectors(g) {
		e.index = append(separated(e.index), '"')
		e.index = append(s.appendTo(e.index, len(e.bodies), text), '"')
	}
	e.bodies = append(e.bodies, text...)
	e.restrictions = appendRestriction(e.restrictions, g)
	return nil
}

// encodeForCalls encodes only the parts of a guideline that tool calls need. A shorter text takes less time to read.
func encodeForCalls(g *guideline.Guideline) ([]byte, error) {
	short := *g
	short.Description, short.Metadata, short.CreatedBy, short.ProjectID = "", nil, "", ""
	short.CreatedAt, short.UpdatedAt = time.Time{}, time.Time{}
	return guideline.Encode(&short)
}

type unwritable struct {
	id    string
	cause error
}

func (u unwritable) Error() string { return "guideline " + u.id + ": " + u.cause.Error() }

func (u unwritable) Unwrap() error { return u.cause }

func separated(list []byte) []byte {
	if len(list) > 0 {
		return append(list, ',', '\n')
	}
	return list
}

// appendRestriction adds the tool restrictions of a guideline to a list. The list is for readers that know only the key
// "tool_restrictions".
func appendRestriction(list []byte, g *guideline.Guideline) []byte {
	if len(g.Action.ToolsAllowed)+len(g.Action.ToolsDenied) == 0 {
		return list
	}
	list = append(separated(list), `{"guideline_id":`...)
	list = document.AppendText(list, g.ID)
	list = appendTexts(append(list, `,"tools_allowed":`...), g.Action.ToolsAllowed)
	list = appendTexts(append(list, `,"tools_denied":`...), g.Action.ToolsDenied)
	return append(list, '}')
}

func appendTexts(to []byte, texts []string) []byte {
	to = append(to, '[')
	for i, text := range texts {
		if i > 0 {
			to = append(to, ',')
		}
		to = document.AppendText(to, text)
	}
	return append(to, ']')
}

func (e *encoding) assemble(b *Body) []byte {
	settings := b.appendSettings(nil, e.starts)
	settings = append(settings, "\"index\":[\n"...)
	settings = append(settings, e.index...)
	settings = append(settings, "\n],\n\"guidelines\":[\n"...)
	head := firstLine + len(settings)
	tail := "\n],\n\"tool_restrictions\":[\n" + string(e.restrictions) + "\n]"
	if b.NeedsTrust > 0 {
		tail += ",\"needs_trust\":" + strconv.Itoa(b.NeedsTrust)
	}
	if b.Safety != "" {
		tail += ",\"safety\":\"" + b.Safety + "\""
	}
	if b.OutputGuard != "" {
		tail += ",\"output_guard\":\"" + b.OutputGuard + "\""
	}
	tail += "}\n"
	size := head + len(e.bodies) + len(tail)
	out := make([]byte, 0, size)
	out = appendFirst(out, min(b.TTL, MaxTTL), head, size)
	out = append(out, settings...)
	out = append(out, e.bodies...)
	return append(out, tail...)
}

// The first line has a fixed width. So a reader finds every field without searching, and Seal() can overwrite the time
// and the signature. The index contains numbers that stand for events. So the first line includes a hash of the table
// of events, and a hook rejects a document with a different hash.
const (
	formatLine = `{"format":3,"events":"` + effect.TableHash + `","timestamp":"`
	never      = "0001-01-01T00:00:00Z"
	noSum      = "0000000000000000"
	timeAt     = len(formatLine)
	ttlAt      = timeAt + len(never) + len(`","ttl_seconds":`)
	headAt     = ttlAt + 4 + len(`,"head":`)
	sizeAt     = headAt + 9 + len(`,"size":`)
	sumAt      = sizeAt + 9 + len(`,"sum":"`)
	firstLine  = sumAt + len(noSum) + len("\",\n")
)

func appendFirst(out []byte, ttl, head, size int) []byte {
	out = append(append(out, formatLine...), never...)
	out = appendWide(append(out, `","ttl_seconds":`...), 4, strconv.Itoa(ttl), ' ')
	out = appendWide(append(out, `,"head":`...), 9, strconv.Itoa(head), ' ')
	out = appendWide(append(out, `,"size":`...), 9, strconv.Itoa(size), ' ')
	out = append(append(out, `,"sum":"`...), noSum...)
	return append(out, "\",\n"...)
}

// appendWide appends a text, padded on the left to the given width.
func appendWide(out []byte, width int, text string, with byte) []byte {
	for range width - len(text) {
		out = append(out, with)
	}
	return append(out, text...)
}

func (b *Body) appendSettings(out []byte, starts []int) []byte {
	out = append(out, `"layers":[`...)
	for i := range b.Layers {
		if i > 0 {
			out = append(out, ',')
		}
		out = b.Layers[i].appendTo(out, starts[i])
	}
	out = document.AppendText(append(out, `],"source":`...), b.Source)
	out = document.AppendText(append(out, `,"reason":`...), b.Reason)
	if b.Page != "" {
		out = document.AppendText(append(out, `,"page":`...), b.Page)
	}
	out = strconv.AppendBool(append(out, `,"strict":`...), b.Strict)
	if b.NoCalls {
		out = append(out, `,"no_calls":true`...)
	}
	return append(out, ",\n"...)
}

// appendTo appends a layer without its guidelines. The argument "start" is the position of the first guideline.
func (l *Layer) appendTo(out []byte, start int) []byte {
	out = strconv.AppendInt(append(out, `{"from":`...), int64(start), 10)
	out = appendContext(append(out, `,"context":`...), &l.Context)
	out = append(out, `,"exceptions":[`...)
	for i, x := range l.exceptionsByID() {
		if i > 0 {
			out = append(out, ',')
		}
		out = x.appendTo(out)
	}
	out = append(out, ']')
	if len(l.TestCommands) > 0 {
		out = appendTexts(append(out, `,"tests":`...), l.TestCommands)
	}
	return append(out, '}')
}

// exceptionsByID returns the exceptions. The guidelines in the document have no aliases. So if an exception contains an
// alias, exceptionsByID adds a copy of the exception with the guideline's id.
func (l *Layer) exceptionsByID() []Exception {
	var out []Exception
	for _, x := range l.Exceptions {
		out = append(out, x)
		for i := range l.Guidelines {
			if g := &l.Guidelines[i]; slices.Contains(g.Aliases(), x.Guideline) {
				own := x
				own.Guideline = g.ID
				out = append(out, own)
			}
		}
	}
	return out
}

func (x *Exception) appendTo(out []byte) []byte {
	out = document.AppendText(append(out, `{"guideline":`...), x.Guideline)
	out = appendTexts(append(out, `,"tools":`...), x.Tools)
	out = document.AppendText(append(out, `,"reason":`...), x.Reason)
	out = document.AppendText(append(out, `,"expires":`...), document.FormatTime(x.Expires))
	return append(out, '}')
}

func appendContext(out []byte, c *guideline.Context) []byte {
	for _, f := range []struct{ name, value string }{
		{`{"agent":`, c.Agent},
		{`,"domain":`, c.Domain},
		{`,"action":`, c.Action},
		{`,"gate_type":`, c.GateType},
		{`,"tenant_id":`, c.TenantID},
	} {
		out = document.AppendText(append(out, f.name...), f.value)
	}
	out = append(out, `,"metadata":`...)
	return append(appendValue(out, c.Metadata), '}')
}
