package value

// choices.go handles values that have several choices, such as an item of a list or one of the two results of a
// condition.

import "guardrails/detect/toolcall/trace"

// OneOf returns a value that may be any of the items. These items are called the choices of the value.
func OneOf(items []Value) Value {
	if len(items) == 1 {
		return items[0]
	}
	if len(items) == 0 {
		return &Data{}
	}
	out := &Data{List: true, Any: true, Items: items[:min(len(items), trace.MaxTurns)]}
	out.Taint = out.ItemTaint()
	return out
}

// EitherOf returns a value that may be x or y.
func EitherOf(x, y Value) Value {
	if x.Kind == FakeObject || y.Kind == FakeObject { // the other value may be a real object
		return &Data{Taint: x.ItemTaint() | y.ItemTaint()}
	}
	items := append([]Value{}, AlternativesOf(x)...)
	for _, v := range AlternativesOf(y) {
		if !v.IsEmpty() {
			items = append(items, v)
		}
	}
	if len(items) > 1 && items[0].IsEmpty() && items[0].Taint == 0 {
		items = items[1:]
	}
	return OneOf(items)
}

// AlternativesOf returns the choices of v, which are the values that v may have. If v has no choices, it returns only
// v.
func AlternativesOf(v Value) []Value {
	if v.Any {
		return v.Items
	}
	return []Value{v}
}

// Choices is a method that counts the choices of v and of each part of v, and returns the largest of these numbers.
func (v Value) Choices(depth int) int {
	n := 1
	if v.Any {
		n = len(v.Items)
	}
	if depth > 3 {
		return n
	}
	for i := range v.Items {
		n = max(n, v.Items[i].Choices(depth+1))
	}
	for i := range v.Pairs {
		n = max(n, v.Pairs[i].Value.Choices(depth+1))
	}
	return n
}

// Pick returns a copy of v in which every part that has choices is replaced by its i-th choice.
func (v Value) Pick(i, depth int) Value {
	if v.Any && len(v.Items) > 0 {
		v = v.Items[i%len(v.Items)]
	}
	if depth > 3 || v.Choices(depth) == 1 {
		return v
	}
	items, pairs := v.Items, v.Pairs
	v = v.Clone()
	v.Items, v.Pairs = make([]Value, len(items)), make([]Pair, len(pairs))
	for j := range items {
		v.Items[j] = items[j].Pick(i, depth+1)
	}
	for j := range pairs {
		v.Pairs[j] = Pair{pairs[j].Key, pairs[j].Value.Pick(i, depth+1)}
	}
	return v
}

// ItemsOf returns a value that may be any item of a list or any value of a dictionary. If the list or dictionary is
// empty, the result is unknown.
func ItemsOf(list Value) Value {
	switch {
	case list.Any || list.Walked && !list.List:
		return list
	case len(list.Items) > 0:
		return OneOf(list.Items)
	case len(list.Pairs) > 0:
		return ValuesOf(list)
	}
	return &Data{Taint: list.Taint, Walked: list.Walked}
}

// KeysOf returns a value that may be any key of a dictionary.
func KeysOf(dict Value) Value {
	var out []Value
	for _, p := range dict.Pairs {
		out = append(out, Text(p.Key))
	}
	return OneOf(out)
}

// ValuesOf returns a value that may be any value of a dictionary.
func ValuesOf(dict Value) Value {
	var out []Value
	for _, p := range dict.Pairs {
		out = append(out, p.Value)
	}
	return OneOf(out)
}

// AsItems returns a list whose items are the choices of v.
func AsItems(v Value) Value {
	return &Data{List: true, Items: AlternativesOf(v), Taint: v.Taint}
}

// ColumnOf returns the i-th item of the list v. If v has several choices, the result may be the i-th item of any
// choice. If a choice is not a list, the result may be the whole choice, because the choice may be an item at any
// position.
func ColumnOf(v Value, i int) Value {
	var out []Value
	for _, item := range AlternativesOf(v) {
		switch {
		case item.List && !item.Any:
			if i < len(item.Items) {
				out = append(out, item.Items[i])
			}
		default:
			out = append(out, item)
		}
	}
	return OneOf(out)
}

// ColumnsOf returns the length of the longest list among the choices of v.
func ColumnsOf(v Value) int {
	n := 0
	for _, item := range AlternativesOf(v) {
		if item.List && !item.Any {
			n = max(n, len(item.Items))
		}
	}
	return n
}
