package trace

// Table maps names to values. A copy of a table is cheap, because it shares the entries with the original. A change of
// one copy does not change the other. The zero value is an empty table.
type Table[V any] struct{ root *entry[V] }

// The type "entry" holds a name with its value. The entries form a tree in which the hash of a name says where the
// entry of this name is. An entry never changes, because several tables may share it.
type entry[V any] struct {
	_     [0]func() // forbids comparisons of entries with ==; see Place
	name  string
	value V
	unset bool
	below [4]*entry[V]
}

// hashOf returns the FNV-1a hash of a name.
func hashOf(name string) uint64 {
	hash := uint64(14695981039346656037)
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	return hash ^ hash>>32
}

// Find returns the value of a name, and whether the table has a value for this name.
func (t Table[V]) Find(name string) (value V, ok bool) {
	e := t.root
	for hash := hashOf(name); e != nil; hash >>= 2 {
		if e.name == name {
			return e.value, !e.unset
		}
		e = e.below[hash&3]
	}
	return value, false
}

// Get returns the value of a name, or the zero value if the table has no value for this name.
func (t Table[V]) Get(name string) V {
	value, _ := t.Find(name)
	return value
}

// Set gives a name a value.
func (t *Table[V]) Set(name string, value V) { t.put(entry[V]{name: name, value: value}) }

// Unset removes the value of a name.
func (t *Table[V]) Unset(name string) { t.put(entry[V]{name: name, unset: true}) }

// put() replaces or adds an entry. It copies the entries that are above the added entry in the tree.
func (t *Table[V]) put(added entry[V]) {
	at := &t.root
	for hash := hashOf(added.name); *at != nil; hash >>= 2 {
		above := **at
		if above.name == added.name {
			added.below = above.below
			break
		}
		*at = &above
		at = &above.below[hash&3]
	}
	*at = &added
}

// IsEmpty reports whether no value was ever set or unset.
func (t Table[V]) IsEmpty() bool { return t.root == nil }

// Changes is a method that calls visit() for each name whose value differs from the value in an older copy of the
// table. It skips names that have no value now. It can also call visit() for a few names whose value is the same in
// both tables.
func (t Table[V]) Changes(older Table[V], visit func(name string, value V)) {
	t.root.changes(older.root, visit)
}

func (e *entry[V]) changes(older *entry[V], visit func(name string, value V)) {
	if e == nil || e == older {
		return
	}
	if !e.unset {
		visit(e.name, e.value)
	}
	for i, below := range e.below {
		if older == nil {
			below.changes(nil, visit)
		} else {
			below.changes(older.below[i], visit)
		}
	}
}
