package cli

import "testing"

func TestTheCurrentUserHasAName(t *testing.T) {
	if currentUser() == "" {
		t.Error("the current user has no name")
	}
}
