package tooluse

func languageHandler(string) handler { return nil }
