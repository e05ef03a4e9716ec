package tooluse

func networkHandler(string) handler { return nil }
