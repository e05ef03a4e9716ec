package tooluse

func find(a *analyzer, c *command) flow { return unknown }
