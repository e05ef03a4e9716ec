package document

// Lookup returns the value of a field. It returns nil if n is not an object, or if the field is missing or null.
func (n *Node) Lookup(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	if f := n.Field(name); f != nil && f.Kind != Null {
		return f
	}
	return nil
}

// LookupText returns the string in a field, or "" if there is none.
func (n *Node) LookupText(name string) string {
	if f := n.Lookup(name); f != nil && f.Kind == String {
		return f.Text
	}
	return ""
}
