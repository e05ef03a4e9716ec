package setup

// All are the changes of a plan, that of the record included.
func (p *Plan) All() []Change {
	if p.record == nil {
		return p.Changes
	}
	return append(p.Changes[:len(p.Changes):len(p.Changes)], *p.record)
}
