package powershell

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// The type "objects" holds the content of a pipe or a variable.
type objects struct {
	values []trace.Value
	// The field "files" lists the paths of file objects, such as the objects that Get-ChildItem returns. If the field
	// "tree" is set, the objects include everything below each folder.
	files []trace.Value
	tree  bool
}

const maxItems = 4096

func (o *objects) add(more objects) {
	if len(o.values)+len(more.values) <= maxItems {
		o.values = append(o.values, more.values...)
	}
	if len(o.files)+len(more.files) <= maxItems {
		o.files = append(o.files, more.files...)
	}
	o.tree = o.tree || more.tree
}

// stepsOfObject is the number of steps that the analysis counts for one object, in addition to the length of its text.
const stepsOfObject = 16

// spendOn counts the work on objects that are joined, split or copied.
func (p *interpreter) spendOn(o objects) {
	steps := len(o.values) * stepsOfObject
	for i := range o.values {
		steps += len(o.values[i].Text)
	}
	p.trace.Spend(steps)
}

func (o objects) taint() trace.Taint {
	var t trace.Taint
	for _, v := range o.values {
		t |= v.Taint
	}
	return t
}

// single() joins the values into one value.
func (o objects) single(separator string) trace.Value {
	if len(o.values) == 1 {
		return o.values[0]
	}
	var out trace.Value
	var b strings.Builder
	for i, v := range o.values {
		if b.Len() <= maxText && i > 0 {
			b.WriteString(separator)
		}
		if b.Len() <= maxText {
			b.WriteString(v.Text)
		}
		out.Partial = out.Partial || v.Partial
		out.Taint |= v.Taint
	}
	out.Text = b.String()
	return limitText(out)
}

const maxText = 1 << 16

// limitText shortens a text to maxText bytes, because a script can make the text longer again and again.
func limitText(v trace.Value) trace.Value {
	if len(v.Text) > maxText {
		v.Text, v.Partial = strings.ToValidUTF8(v.Text[:maxText], ""), true
	}
	return v
}

func (o objects) flow() trace.Flow {
	v := o.single("\n")
	return trace.Flow{Text: v.Text, Known: !v.Partial && len(o.files) == 0, Taint: v.Taint}
}

func fromFlow(f trace.Flow) objects {
	if f.Known {
		if f.Text == "" {
			return objects{}
		}
		text := strings.TrimSuffix(f.Text, "\n")
		return objects{values: []trace.Value{{Text: text, Quality: trace.Quality{Taint: f.Taint}}}}
	}
	return unknownFrom(f.Taint)
}

func unknownObject() objects { return unknownFrom(trace.FromProgram) }

func unknownFrom(t trace.Taint) objects {
	return objects{values: []trace.Value{{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: t}}}}
}

func textObject(text string) objects { return objects{values: []trace.Value{{Text: text}}} }

// oneByOne returns the objects one by one. It replaces a file object with the path of the file.
func (o objects) oneByOne() []objects {
	if len(o.values)+len(o.files) > trace.MaxTurns || len(o.values)+len(o.files) == 0 {
		return []objects{unknownFrom(o.taint() | trace.FromProgram)}
	}
	var out []objects
	for _, v := range o.files {
		out = append(out, objects{values: []trace.Value{v}})
	}
	for _, v := range o.values {
		if len(o.files) == 0 || !v.Partial {
			out = append(out, objects{values: []trace.Value{v}})
		}
	}
	return out
}
