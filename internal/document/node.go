// Package document reads the text of a file into a tree. Every value has a line number. Every mistake is reported with
// its place and a remedy. Nothing is silently ignored.
//
// Start with ParseJSON, or with a Node from the parser of another format. Then read the tree with a Decoder. Scanner
// and Members read JSON without building a tree.
package document

// Kind is the JSON kind of a Node.
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

// String returns the kind in words.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Node is one value of a document. Text is the value of a string, the literal of a number, or "true" or "false".
type Node struct {
	Kind   Kind
	Line   int
	Text   string
	Items  []*Node
	Fields []Field

	// The map "names" contains the index of each field under the name of the field. Only large objects have this map.
	names map[string]int
}

// Field is one key of an object with its value.
type Field struct {
	Name  string
	Line  int
	Value *Node
}

// MaxDepth is the maximum nesting depth of lists and objects. Real documents need far less.
const MaxDepth = 64

// MaxSize is the size of the largest document in bytes.
const MaxSize = 8 << 20

// An object with at least this number of fields gets an index of the names of its fields.
const indexed = 16

// Field returns the value of a field, or nil.
func (n *Node) Field(name string) *Node {
	if i := n.find(name); i >= 0 {
		return n.Fields[i].Value
	}
	return nil
}

// Add appends a field to an object. If the object already has a field with this name, Add changes nothing and returns
// false.
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
