package value

// text.go computes texts and paths from other texts.

import (
	"path"
	"strings"
)

// JoinPath joins two paths as os.path.join does: an absolute second path replaces the first.
func JoinPath(x, y Value) Value {
	out := Join(x, Join(Text("/"), y))
	if y.Known && strings.HasPrefix(y.Text, "/") || x.Known && x.Text == "" {
		out = y.Clone()
	} else if out.Known {
		out.Text = path.Clean(out.Text)
	}
	out.Kind = x.Kind
	if y.Kind == PathObject {
		out.Kind = PathObject
	}
	return out
}

// JoinPaths joins all arguments of a call to one path.
func JoinPaths(args Value) Value {
	var parts []Value
	for _, v := range args.Items {
		if v.List && !v.Any {
			parts = append(parts, v.Items...) // the argument is an unpacked list, such as *parts
			continue
		}
		parts = append(parts, v)
	}
	out := Argument(&Data{Items: parts}, 0)
	for i := 1; i < len(parts); i++ {
		out = JoinPath(out, parts[i])
	}
	return out
}

// JoinItems joins the items of a list to one text, with a separator between them.
func JoinItems(list Value, sep string) Value {
	out := &Data{Known: true, Taint: list.Taint}
	for i, item := range list.AsList() {
		if item.List && !item.Any {
			item = JoinItems(item, sep)
		}
		if i > 0 {
			out.Text += sep
		}
		out = Join(out, item)
		if len(out.Text) > MaxJoined {
			return &Data{Taint: out.Taint}
		}
	}
	return out
}

// ReplaceText replaces each occurrence of a text ("from") in another text ("self") with a third text ("to").
func ReplaceText(self, from, to Value) Value {
	if !self.Known || !from.Known || !to.Known || len(self.Text)*(len(to.Text)+1) > 8*MaxJoined || from.Text == "" {
		return &Data{Taint: self.Taint | to.Taint}
	}
	self = self.Clone()
	self.Text = strings.ReplaceAll(self.Text, from.Text, to.Text)
	return self
}

// PartOf returns a part of the text v. The part has the taint of the whole text.
func PartOf(v Value, part string) Value {
	return &Data{Text: part, Known: v.Known, Taint: v.Taint}
}
