package setup

// All returns the changes of a plan, including the change of the record.
func (p *Plan) All() []Change {
	if p.record == nil {
		return p.Changes
	}
	return append(p.Changes[:len(p.Changes):len(p.Changes)], *p.record)
}
