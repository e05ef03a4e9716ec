package tooluse

func filterHandler(string) handler { return nil }
