package tooluse

func diskHandler(string) handler { return nil }
