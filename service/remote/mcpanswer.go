package remote

import (
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/service/guidelinefiles"
)

var errNoAnswer = errors.New("does not answer as an MCP server; check server.url in " + config.File)

func toolAnswer(body []byte) (*document.Node, error) {
	message, problems := document.ParseJSON("", body)
	if message == nil || len(problems) > 0 || message.Kind != document.Object {
		return nil, errNoAnswer
	}
	if failure := message.Lookup("error"); failure != nil {
		return nil, errors.New("refuses the request: " + document.OneLine(failure.LookupText("message")))
	}
	result := message.Lookup("result")
	if result == nil {
		return nil, errNoAnswer
	}
	content := firstText(result)
	if failed := result.Lookup("isError"); failed != nil && failed.Text == "true" {
		return nil, errors.New("refuses the request: " + document.OneLine(content))
	}
	if answer := result.Lookup("structuredContent"); answer != nil {
		return answer, nil
	}
	answer, problems := document.ParseJSON("", []byte(content))
	if answer == nil || len(problems) > 0 {
		return nil, errNoAnswer
	}
	return answer, nil
}

// firstText returns the first text in the tool's answer. Servers also send the answer as text, for clients that do not
// support structured content.
func firstText(result *document.Node) string {
	list := result.Lookup("content")
	if list == nil || list.Kind != document.List || len(list.Items) == 0 {
		return ""
	}
	return list.Items[0].LookupText("text")
}

// definitions() reads the guidelines and the notices in the tool's answer.
func definitions(answer *document.Node, from string) ([]rules.Source, []string, error) {
	list := answer.Lookup("definitions")
	if ok := answer.Lookup("success"); ok == nil || ok.Text != "true" || list == nil || list.Kind != document.List {
		return nil, nil, errors.New("sends no definitions of guidelines; check that it is a " +
			"guardrails server of this version")
	}
	reason := document.OneLine(answer.Lookup("fallback").LookupText("reason"))
	if answer.LookupText("source") == fallback.SourceOpen {
		return nil, nil, errors.New("has no guidelines: " + reason)
	}
	sources, err := guidelinefiles.Decode(list, "definitions", from)
	if err != nil {
		return nil, nil, fmt.Errorf("sends a guideline that cannot be used: %w", err)
	}
	if reason != "" {
		return sources, []string{"guardrails: the server " + from + " sends fallback guidelines: " + reason}, nil
	}
	return sources, nil, nil
}
