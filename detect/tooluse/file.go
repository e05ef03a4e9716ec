package tooluse

func fileHandler(string) handler { return nil }
