package tooluse

func infraHandler(string) handler { return nil }
