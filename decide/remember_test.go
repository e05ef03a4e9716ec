package decide

import (
	"strings"
	"testing"

	"guardrails/detect/effect"
)

func TestEventsForWhichAYesHoldsForOneCallExist(t *testing.T) {
	for name := range strings.FieldsSeq(oneCall) {
		if effect.Event(name).Number() == 0 {
			t.Errorf("there is no event %s", name)
		}
	}
	for _, event := range []effect.Event{effect.DestructiveOp, effect.Deploy, effect.Publish, effect.PermissionOpen} {
		if !isForOneCall(event) {
			t.Errorf("a yes to %s holds for more than one call", event)
		}
	}
	for _, event := range []effect.Event{effect.Commit, effect.ContractChange, effect.OutsideWrite} {
		if isForOneCall(event) {
			t.Errorf("a yes to %s holds for one call only", event)
		}
	}
}
