package evaluator

import (
	"errors"
	"slices"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// With is a method that returns a copy of the set with some changes. It adds each guideline in the list "changed", or
// replaces the guideline that has the same id. It leaves out the guidelines whose ids are in the list "removed". With
// is much faster than compiling all guidelines again. After the call, the caller must not change the guidelines.
func (s *Set) With(changed []*guideline.Guideline, removed ...string) (*Set, error) {
	gone := make(map[string]bool, len(changed)+len(removed))
	for _, id := range removed {
		gone[id] = true
	}
	var errs []error
	added := make([]*rule, len(changed))
	known := compiled{globs: map[string]*pattern.Glob{}, tools: map[string]*pattern.Tool{}}
	for i, g := range changed {
		r, err := compileRule(g, &known)
		errs = append(errs, err...)
		added[i], gone[g.ID] = r, true
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(added, func(a, b *rule) int { return compareGuidelines(a.guideline, b.guideline) })
	return s.merge(added, gone), nil
}

// merge() returns a new set. It leaves out the rules whose guidelines are in the map "gone", and contains the rules in
// the list "added". This list must be sorted.
func (s *Set) merge(added []*rule, gone map[string]bool) *Set {
	out := &Set{rules: make([]rule, 0, len(s.rules)+len(added))}
	// The list "numbers" has the new number of each old rule, or -1 if the set leaves out the rule. The list "fresh" has
	// the numbers of the added rules.
	numbers, fresh := make([]int, len(s.rules)), make([]int, 0, len(added))
	for number := range s.rules {
		old := &s.rules[number]
		if numbers[number] = -1; gone[old.guideline.ID] {
			continue
		}
		for len(added) > len(fresh) && compareGuidelines(added[len(fresh)].guideline, old.guideline) < 0 {
			fresh = append(fresh, out.add(added[len(fresh)]))
		}
		numbers[number] = out.add(old)
	}
	for len(added) > len(fresh) {
		fresh = append(fresh, out.add(added[len(fresh)]))
	}
	switch {
	case len(out.rules) <= smallSet:
	case s.index == nil:
		out.index = newIndex(out.rules)
	default:
		out.index = s.index.renumbered(numbers)
		filed := func(column int, value string) int { return len(out.index.columns[column].byValue[value]) }
		for _, number := range fresh {
			if g := out.rules[number].guideline; g.Enabled {
				out.index.insert(number, g, filed)
			}
		}
	}
	return out
}

func (s *Set) add(r *rule) (number int) {
	s.rules = append(s.rules, *r)
	return len(s.rules) - 1
}

// renumbered() returns a copy of the index in which rules have new numbers. A rule with the number -1 is left out. The
// order of the other rules must be the same.
func (x *index) renumbered(numbers []int) *index {
	out := &index{noColumn: renumber(x.noColumn, numbers)}
	for i := range x.columns {
		from, to := &x.columns[i], &out.columns[i]
		to.all, to.byValue = renumber(from.all, numbers), make(map[string][]int, len(from.byValue))
		for value, list := range from.byValue {
			if list = renumber(list, numbers); len(list) > 0 {
				to.byValue[value] = list
			}
		}
	}
	return out
}

func renumber(list, numbers []int) []int {
	out := make([]int, 0, len(list))
	for _, number := range list {
		if numbers[number] >= 0 {
			out = append(out, numbers[number])
		}
	}
	return out
}
