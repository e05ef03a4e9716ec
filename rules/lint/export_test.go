package lint

// Rules lists every rule that a single guideline can break. It omits NotCompared, which is about the whole set.
func Rules() []Rule {
	return []Rule{
		NeverMatches, Shadowed, Duplicate, DenyContradictsAllow, LockedOut, IncompleteAction, UnusedField, InvalidParameter,
		InstructionTooLong, NoDescription, UnknownEvent, UnknownAgent, UnknownAction,
	}
}
