package evaluator

import (
	"slices"

	"guardrails/guideline"
)

// smallSet is the size of the largest set without an index. A hook compiles a few guidelines and matches them once or
// twice, so building an index would take longer than checking each guideline.
const smallSet = 64

// The type "index" finds the guidelines that may match a query, without checking all guidelines. It has a column for
// each text field. Each enabled guideline is in only one column: the column in which its values are the rarest. In a
// column, each value has a list of the guidelines that name the value. A list holds indices of rules in ascending
// order.
type index struct {
	columns [columns]column
	// noColumn lists the guidelines that accept any value in every column.
	noColumn []int
}

type column struct {
	byValue map[string][]int
	// The field "all" has the numbers of all guidelines in this column, whatever their values are.
	all []int
}

// Each text field of a context is a column, and the tenant is a column too.
const (
	columns      = 6
	tenantColumn = 5
)

type given struct {
	value   string
	unknown bool
}

func givenBy(q *Query) [columns]given {
	return [columns]given{
		{q.Agent, q.Unknown.Has(guideline.FieldAgent)},
		{q.Domain, q.Unknown.Has(guideline.FieldDomain)},
		{q.Action, q.Unknown.Has(guideline.FieldAction)},
		{q.Event, q.Unknown.Has(guideline.FieldEvent)},
		{q.GateType, q.Unknown.Has(guideline.FieldGateType)},
		{q.TenantID, false},
	}
}

// acceptedValues returns for each column the values that a guideline accepts. An empty list means any value.
func acceptedValues(g *guideline.Guideline) [columns][]string {
	c := &g.Condition
	accepted := [columns][]string{c.Agents, c.Domains, c.Actions, c.Events, c.GateTypes}
	if g.TenantID != "" {
		accepted[tenantColumn] = []string{g.TenantID}
	}
	return accepted
}

// accepts() reports whether a guideline is enabled and accepts the query's value in every column.
func accepts(g *guideline.Guideline, query *[columns]given) bool {
	if !g.Enabled {
		return false
	}
	for i, accepted := range acceptedValues(g) {
		if len(accepted) == 0 || query[i].unknown {
			continue
		}
		if query[i].value == "" || !slices.Contains(accepted, query[i].value) {
			return false
		}
	}
	return true
}

func newIndex(rules []rule) *index {
	x := &index{}
	count := countValues(rules)
	for i := range x.columns {
		x.columns[i].byValue = map[string][]int{}
	}
	for number := range rules {
		if g := rules[number].guideline; g.Enabled {
			x.insert(number, g, func(column int, value string) int { return count[column][value] })
		}
	}
	return x
}

// valueCount contains a map for each column. The map says how many guidelines name each value.
type valueCount [columns]map[string]int

func countValues(rules []rule) *valueCount {
	count := &valueCount{}
	for i := range count {
		count[i] = map[string]int{}
	}
	for number := range rules {
		for i, accepted := range acceptedValues(rules[number].guideline) {
			for _, value := range accepted {
				count[i][value]++
			}
		}
	}
	return count
}

// insert() puts a rule into the column in which its accepted values are the rarest. The function count() returns how
// many guidelines name a value.
func (x *index) insert(number int, g *guideline.Guideline, count func(column int, value string) int) {
	accepted := acceptedValues(g)
	best, fewest := -1, 0
	for i, values := range accepted {
		sum := 0
		for _, value := range values {
			sum += count(i, value)
		}
		if len(values) > 0 && (best < 0 || sum < fewest) {
			best, fewest = i, sum
		}
	}
	if best < 0 {
		x.noColumn = insertNumber(x.noColumn, number)
		return
	}
	c := &x.columns[best]
	c.all = insertNumber(c.all, number)
	for _, value := range accepted[best] {
		c.byValue[value] = insertNumber(c.byValue[value], number)
	}
}

func insertNumber(list []int, number int) []int {
	at, _ := slices.BinarySearch(list, number)
	list = append(list, number)
	copy(list[at+1:], list[at:])
	list[at] = number
	return list
}

// The type "candidates" holds the lists of all rules that may match a query. Each list is in ascending order.
type candidates [columns + 1][]int

func (x *index) candidates(query *[columns]given) candidates {
	var lists candidates
	for i := range x.columns {
		if query[i].unknown {
			lists[i] = x.columns[i].all
		} else {
			lists[i] = x.columns[i].byValue[query[i].value]
		}
	}
	lists[columns] = x.noColumn
	return lists
}

// next() removes the smallest number from the lists and returns it. If a guideline names a value twice, the list of
// this value has the guideline's number twice, but next() returns the number only once.
func (lists *candidates) next() (number int, ok bool) {
	best := -1
	for i, list := range lists {
		if len(list) > 0 && (best < 0 || list[0] < lists[best][0]) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	number = lists[best][0]
	for len(lists[best]) > 0 && lists[best][0] == number {
		lists[best] = lists[best][1:]
	}
	return number, true
}
