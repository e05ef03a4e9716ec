package rules

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"guardrails/internal/document"
)

// node converts a node of the library to a strict one. A rejected value becomes null, so that the rest of the file is
// still checked.
func (p *yamlParser) node(n *yaml.Node, depth int) *document.Node {
	out := &document.Node{Line: p.line(n.Line)}
	p.refuseExtras(n)
	switch n.Kind {
	case yaml.ScalarNode:
		p.scalar(n, out)
	case yaml.SequenceNode, yaml.MappingNode:
		if depth == document.MaxDepth {
			p.refuseDepth(n)
			return out
		}
		if n.Kind == yaml.SequenceNode {
			p.list(n, out, depth)
		} else {
			p.object(n, out, depth)
		}
	}
	return out
}

func (p *yamlParser) refuseDepth(n *yaml.Node) {
	if !p.tooDeep {
		p.tooDeep = true
		p.add(document.TooDeep(p.file, p.line(n.Line)))
	}
}

func (p *yamlParser) refuseExtras(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		p.report(n.Line, fmt.Sprintf("uses the alias *%s", n.Value), "write the value itself")
	}
	if n.Anchor != "" {
		p.report(n.Line, fmt.Sprintf("has the anchor &%s", n.Anchor), "remove it, and repeat the value where it is used")
	}
	if n.Style&yaml.TaggedStyle != 0 || n.Tag == "!" {
		p.report(n.Line, fmt.Sprintf("has the tag %s", n.Tag), "remove it; put text in quotes")
	}
}

func (p *yamlParser) list(n *yaml.Node, out *document.Node, depth int) {
	out.Kind = document.List
	for _, item := range n.Content {
		out.Items = append(out.Items, p.node(item, depth+1))
	}
}

func (p *yamlParser) object(n *yaml.Node, out *document.Node, depth int) {
	out.Kind = document.Object
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !p.isKey(key) {
			continue
		}
		value := p.node(n.Content[i+1], depth+1)
		line := p.line(key.Line)
		if !out.Add(key.Value, line, value) {
			p.add(document.DuplicateKey(p.file, line, key.Value))
		}
	}
}

func (p *yamlParser) isKey(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode {
		p.report(key.Line, "has a key that is not a string", "write a plain name before the colon")
		return false
	}
	p.refuseExtras(key)
	if key.Style&quotedStyles != 0 {
		return true
	}
	if key.Value == "<<" {
		p.report(key.Line, "has the merge key <<", "write the fields themselves")
		return false
	}
	if kind, odd := plainKind(key.Value); kind != document.String || odd {
		p.report(key.Line, fmt.Sprintf("has the key %s, which is not a string", shown(key.Value)), "put it in quotes")
		return false
	}
	return true
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func (p *yamlParser) scalar(n *yaml.Node, out *document.Node) {
	out.Kind, out.Text = document.String, n.Value
	if n.Style&quotedStyles != 0 {
		return
	}
	kind, odd := plainKind(n.Value)
	if odd {
		p.report(n.Line, fmt.Sprintf("%s is not a plain number", shown(n.Value)),
			"write a decimal number, or put it in quotes if it is a string")
		return
	}
	switch out.Kind = kind; kind {
	case document.Bool:
		out.Text = "false"
		if n.Value[0] == 't' || n.Value[0] == 'T' {
			out.Text = "true"
		}
	case document.Null:
		out.Text = ""
	}
}

// shown returns a value for a message.
func shown(value string) string {
	if value == "" {
		return "(nothing)"
	}
	if len(value) > 40 {
		return value[:40] + "…"
	}
	return value
}
