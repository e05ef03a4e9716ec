package tooluse

func gitHandler(string) handler { return nil }
