package hooks_test

import (
	"strings"
	"testing"
)

// The client shows the first two lines of a refusal. The two lines have about 190 characters. The client itself adds 36
// of these characters.
func TestTheCommandThatAllowsACallIsNearTheBeginningOfTheRefusal(t *testing.T) {
	s := newStage(t, paths)
	o := s.pre(s.write("src/ui/a.ts"))
	if at := codeOf.FindStringIndex(o.Reason); at == nil || at[1] > 120 {
		t.Errorf("the command ends at %v in %q", at, o.Reason)
	}
	s.want(o, "deny", "Denied by no-ui. A person can allow it once: guardrails allow-once ", ". The user interface belongs to others: the call writes")
}

func TestTheModelReadsAboutAQuestionWhatItMayDoInstead(t *testing.T) {
	s := newStage(t, strings.Replace(paths, "gate_threshold: mandatory}",
		"gate_threshold: mandatory, parameters: {instead: show the plan}}", 1))
	o := s.pre(s.bash("kubectl apply -f x.yaml"))
	const question = "Release to a running environment: kubectl apply? Rule: Deploys need a person (ask-deploy)."
	if o.Reason != question {
		t.Errorf("the person reads %q", o.Reason)
	}
	if want := "guardrails asked a person about this call: " + question + " If the answer was no: show the plan."; o.Context != want {
		t.Errorf("the model reads %q", o.Context)
	}
}
