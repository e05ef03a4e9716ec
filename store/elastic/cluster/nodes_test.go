package cluster

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The type "answering" is a transport that records its own name and gives an answer.
type answering struct {
	name   string
	asked  *[]string
	status int
	err    error
}

func (a answering) Perform(*http.Request) (*http.Response, error) {
	*a.asked = append(*a.asked, a.name)
	return &http.Response{StatusCode: a.status}, a.err
}

func TestRequestsGoToTheNodesInTurnAndAvoidThoseThatFail(t *testing.T) {
	lost := errors.New("lost")
	for name, c := range map[string]struct {
		// status has the status of each node's answer. 0 means that the node gives no answer.
		status []int
		// cause is the error of a node that gives no answer.
		cause    error
		oneNode  bool
		requests int
		asked    string
	}{
		"all answer":                            {[]int{200, 200, 200}, nil, false, 4, "b c a b"},
		"one gives no answer":                   {[]int{200, 0, 200}, lost, false, 6, "b c a c a c"},
		"one is left by callers":                {[]int{200, 0, 200}, context.Canceled, false, 4, "b c a b"},
		"none answers":                          {[]int{0, 0}, lost, false, 4, "b a b a"},
		"a read stays at its node":              {[]int{200, 200, 200}, nil, true, 3, "b b b"},
		"a read leaves a node without answer":   {[]int{200, 0, 200}, lost, true, 3, "b c c"},
		"a read leaves a node without master":   {[]int{200, 503, 200}, nil, true, 3, "b c c"},
		"a read stays at a node that refuses":   {[]int{200, 409, 200}, nil, true, 2, "b b"},
		"a read returns to the only node":       {[]int{503}, nil, true, 2, "a a"},
		"a read does not return if others live": {[]int{200, 503}, nil, true, 3, "b a a"},
	} {
		asked := []string{}
		n := &nodes{now: time.Now}
		for i, status := range c.status {
			a := answering{string(rune('a' + i)), &asked, status, nil}
			if status == 0 {
				a.err = c.cause
			}
			n.list = append(n.list, &node{transport: a})
		}
		ctx := t.Context()
		if c.oneNode {
			ctx = OnOneNode(ctx)
		}
		for range c.requests {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = n.Perform(r) //nolint:bodyclose // there is no body
		}
		if got := strings.Join(asked, " "); got != c.asked {
			t.Errorf("%s: %s, want %s", name, got, c.asked)
		}
	}
}
