package ownfiles

// Settings gives tests access to settings().
func Settings(text []byte) []byte { return settings(text) }
