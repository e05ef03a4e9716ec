package toolcall

import (
	"testing"

	"guardrails/detect/toolcall/trace"
)

func TestAFolderThatContainsATemporaryProjectIsNotScratchSpace(t *testing.T) {
	env := &trace.Env{Root: "/tmp/w/app", Cwd: "/tmp/w/app", Home: "/home/dev"}
	for _, command := range []string{"rm -rf ..", "rm -rf $(dirname $PWD)", "cd ..; rm -rf *"} {
		got := AnalyzeCommand(env, command)
		if events := eventsOf(got, []string{"destructive_op"}); len(events) != 1 || events[0] != "system_delete" {
			t.Errorf("%s: events %v, want system_delete\n%s", command, events, report(got))
		}
	}
	if got := AnalyzeCommand(env, "rm -rf /tmp/other; rm -rf ../sibling"); len(eventsOf(got, nil)) > 0 {
		t.Errorf("deleting other temporary folders is an event\n%s", report(got))
	}
}

func TestAHomeInATemporaryFolderIsNotScratchSpace(t *testing.T) {
	env := &trace.Env{Root: "/tmp/w/app", Cwd: "/tmp/w/app", Home: "/tmp/w/home"}
	for _, command := range []string{"rm -rf ~", "rm -rf $HOME/*", "cd; rm -rf *"} {
		got := AnalyzeCommand(env, command)
		if events := eventsOf(got, []string{"destructive_op"}); len(events) != 1 || events[0] != "system_delete" {
			t.Errorf("%s: events %v, want system_delete\n%s", command, events, report(got))
		}
	}
	if got := AnalyzeCommand(env, "rm -rf ~/.cache/x"); len(eventsOf(got, nil)) > 0 {
		t.Errorf("deleting a cache in it is an event\n%s", report(got))
	}
}
