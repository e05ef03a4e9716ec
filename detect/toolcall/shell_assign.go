package toolcall

import "mvdan.cc/sh/v3/syntax"

// assign follows an assignment; a naked one (export X) changes nothing.
func (a *analyzer) assign(as *syntax.Assign, sc *scope) {
	if as.Index != nil {
		a.walkSubstitutions(as.Index, sc)
	}
	if as.Naked || as.Name == nil {
		if as.Value != nil {
			a.fields(as.Value, sc)
		}
		return
	}
	name := as.Name.Value
	a.sensitiveAssignment(name, as, sc)
	switch {
	case as.Array != nil:
		var values []value
		for _, e := range as.Array.Elems {
			if e.Index != nil {
				sc.forget(name)
				return
			}
			if e.Value != nil {
				values = append(values, a.fields(e.Value, sc)...)
			}
		}
		if as.Append {
			values = append(append([]value{}, sc.vars[name].values...), values...)
		}
		sc.set(name, variable{values: values, array: true})
	case as.Value != nil && as.Index == nil:
		v := a.single(as.Value, sc)
		if as.Append {
			v = concat(sc.vars[name].scalar(), v)
		}
		sc.set(name, variable{values: []value{v}})
	case as.Index == nil:
		sc.set(name, variable{values: []value{{}}})
	default:
		a.assignElement(name, as, sc)
	}
}

// assignElement follows a[0]=x; of an element that is not counted from the start nothing is known afterwards.
func (a *analyzer) assignElement(name string, as *syntax.Assign, sc *scope) {
	v := a.single(as.Value, sc)
	values := append([]value{}, sc.vars[name].values...)
	i, ok := number(as.Index)
	switch {
	case !ok || i < 0 || i > len(values) || as.Append:
		sc.set(name, variable{values: []value{{text: "$" + name, quality: quality{partial: true}}}, array: true})
		return
	case i == len(values):
		values = append(values, v)
	default:
		values[i] = v
	}
	sc.set(name, variable{values: values, array: true})
}

func (v variable) scalar() value {
	if len(v.values) == 0 {
		return value{}
	}
	return v.values[0]
}

func concat(x, y value) value {
	if len(x.text)+len(y.text) > maxWord {
		return value{text: x.text, quality: quality{partial: true, taint: x.taint | y.taint}}
	}
	return value{text: x.text + y.text, quality: quality{partial: x.partial || y.partial, glob: x.glob || y.glob, taint: x.taint | y.taint}}
}
