// Package document is the strict tree between a file's text and the domain's types: every value knows its line, every
// mistake is collected with its place and a remedy, and nothing is dropped unseen.
//
// Start with ParseJSON (or a Node built by another format's parser), then read the tree with a Decoder.
package document

// Kind says which of the six JSON kinds a Node has.
type Kind uint8

// The kinds of a Node.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

// String names the kind for a person.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Node is one value of a document. Text holds a string's value, a number's JSON literal, or "true"/"false".
type Node struct {
	Kind   Kind
	Line   int
	Text   string
	Items  []*Node
	Fields []Field

	// names finds a field by its name once an object is too large to be searched.
	names map[string]int
}

// Field is one key of an object with its value.
type Field struct {
	Name  string
	Line  int
	Value *Node
}

// MaxDepth is how deep lists and objects may nest; no real document comes near it.
const MaxDepth = 64

// MaxSize is the largest text that is read as one document.
const MaxSize = 8 << 20

// indexed is the number of fields from which on an object keeps an index of their names.
const indexed = 16

// Field is the value of a field, or nil.
func (n *Node) Field(name string) *Node {
	if i := n.find(name); i >= 0 {
		return n.Fields[i].Value
	}
	return nil
}

// Add appends a field to an object and reports false, without adding, when the name is already there.
func (n *Node) Add(name string, line int, value *Node) bool {
	if n.find(name) >= 0 {
		return false
	}
	n.Fields = append(n.Fields, Field{Name: name, Line: line, Value: value})
	if n.names != nil {
		n.names[name] = len(n.Fields) - 1
	} else if len(n.Fields) == indexed {
		n.names = make(map[string]int, 2*indexed)
		for i, f := range n.Fields {
			n.names[f.Name] = i
		}
	}
	return true
}

func (n *Node) find(name string) int {
	if n.names != nil {
		if i, ok := n.names[name]; ok {
			return i
		}
		return -1
	}
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return i
		}
	}
	return -1
}
