package tooluse

func databaseHandler(string) handler { return nil }
