package tooluse

func systemHandler(string) handler { return nil }
