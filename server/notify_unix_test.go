//go:build unix

package server_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A change by another process, a new guideline file and a change of the settings notify the client.
func TestTheClientOnStdioIsNotifiedOfChanges(t *testing.T) {
	s, red, _ := twoTenants(t)
	s.file(".claude/guardrails.yaml", "tenant: red\n")
	srv := s.server()
	s.runUntilStopped(func(ctx context.Context) error { srv.Upkeep(ctx); return nil })
	in, client := io.Pipe()
	answers, out := io.Pipe()
	s.runUntilStopped(func(ctx context.Context) error { return srv.ServeStdio(ctx, in, out) })
	notified := make(chan string, 100)
	go func() {
		for lines := bufio.NewScanner(answers); lines.Scan(); {
			notified <- lines.Text()
		}
	}()
	_, err := io.WriteString(client, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	check(t, err)
	await := func(words string) {
		t.Helper()
		for {
			select {
			case line := <-notified:
				if strings.Contains(line, words) {
					return
				}
			case <-time.After(time.Minute):
				t.Fatalf("no line with %s", words)
			}
		}
	}
	// After the first answer, the server knows the guidelines of the store and notices their changes.
	_, err = io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_list","arguments":{}}}`+"\n")
	check(t, err)
	await(`"id":1`)
	if code, body := red.rest(http.MethodPost, "/api/guardrails", strings.ReplaceAll(redGuideline, "reds", "new")); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	await("notifications/resources/list_changed")
	s.file(".claude/guardrails/b.yaml", strings.ReplaceAll(guidelines, "backend-stays", "another"))
	await("notifications/resources/list_changed")
	s.file(".claude/guardrails.yaml", "tenant: red\ndetectors: {rumination: note}\n")
	await("notifications/tools/list_changed")
}
