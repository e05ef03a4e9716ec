package service

import (
	"context"
	"errors"
	"fmt"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// fromServer asks the configured server for its guidelines. The error names the server.
func (s *Service) fromServer(ctx context.Context, c *config.Config) ([]rules.Source, []string, error) {
	sources, notices, err := s.askServer(ctx, c)
	if err != nil {
		return nil, nil, fmt.Errorf("the server %s %w", c.Server.URL, err)
	}
	return sources, notices, nil
}

func (s *Service) askServer(ctx context.Context, c *config.Config) ([]rules.Source, []string, error) {
	q, err := question(c.Tenant)
	if err != nil {
		return nil, nil, err
	}
	body, err := s.post(ctx, c.Server, q)
	if err != nil {
		return nil, nil, err
	}
	answer, err := toolAnswer(body)
	if err != nil {
		return nil, nil, err
	}
	return definitionsIn(answer, c.Server.URL)
}

var errNoAnswer = errors.New("gives no answer of MCP; check server.url in " + config.File)

// toolAnswer takes what the tool answered out of the message around it.
func toolAnswer(body []byte) (*document.Node, error) {
	message, problems := document.ParseJSON("", body)
	if message == nil || len(problems) > 0 || message.Kind != document.Object {
		return nil, errNoAnswer
	}
	if failure := field(message, "error"); failure != nil {
		return nil, errors.New("refuses the question: " + shown(textOf(failure, "message")))
	}
	result := field(message, "result")
	if result == nil {
		return nil, errNoAnswer
	}
	content := firstText(result)
	if failed := field(result, "isError"); failed != nil && failed.Text == "true" {
		return nil, errors.New("refuses the question: " + shown(content))
	}
	if answer := field(result, "structuredContent"); answer != nil {
		return answer, nil
	}
	answer, problems := document.ParseJSON("", []byte(content))
	if answer == nil || len(problems) > 0 {
		return nil, errNoAnswer
	}
	return answer, nil
}

// definitionsIn takes the guidelines out of the tool's answer.
func definitionsIn(answer *document.Node, from string) ([]rules.Source, []string, error) {
	list := field(answer, "definitions")
	if ok := field(answer, "success"); ok == nil || ok.Text != "true" || list == nil || list.Kind != document.List {
		return nil, nil, errors.New("gives no definitions of guidelines; check that it is a guardrails server of this version")
	}
	fallback := shown(textOf(field(answer, "fallback"), "reason"))
	if textOf(answer, "source") == SourceOpen {
		return nil, nil, errors.New("has no guidelines to give: " + fallback)
	}
	sources, err := decodeGuidelines(list, "definitions", from)
	if err != nil {
		return nil, nil, fmt.Errorf("gives a guideline that cannot be used: %w", err)
	}
	if fallback != "" {
		return sources, []string{"guardrails: the server " + from + " does not give its guidelines as it should: " + fallback}, nil
	}
	return sources, nil, nil
}

// decodeGuidelines reads guidelines as strictly as those of a file: part of a set is not what its author wrote.
func decodeGuidelines(list *document.Node, path, from string) ([]rules.Source, error) {
	d := &document.Decoder{}
	seen := map[string]bool{}
	var out []rules.Source
	for i, item := range list.Items {
		at := document.Index(path, i)
		g := guideline.Decode(d, item, at)
		if seen[g.ID] && g.ID != "" {
			d.Report(item, document.Join(at, "id"), document.Excerpt(g.ID)+" stands twice", "give one of them another id")
		}
		seen[g.ID] = true
		out = append(out, rules.Source{Guideline: g, Origin: rules.Origin{File: from}})
	}
	if len(d.Problems) > 0 {
		p := d.Problems[0]
		p.Line = 0
		return nil, p
	}
	return out, nil
}

// field is the value of a field that is there and not null.
func field(n *document.Node, name string) *document.Node {
	if n == nil || n.Kind != document.Object {
		return nil
	}
	if f := n.Field(name); f != nil && f.Kind != document.Null {
		return f
	}
	return nil
}

func textOf(n *document.Node, name string) string {
	if f := field(n, name); f != nil && f.Kind == document.String {
		return f.Text
	}
	return ""
}

// firstText is the text that a tool's answer has for readers who know no structured content.
func firstText(result *document.Node) string {
	list := field(result, "content")
	if list == nil || list.Kind != document.List || len(list.Items) == 0 {
		return ""
	}
	return textOf(list.Items[0], "text")
}
