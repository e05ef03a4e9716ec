package tooluse

func (a *analyzer) tool(name string, input []byte) {}
