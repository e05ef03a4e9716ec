package setup

import (
	"encoding/json"
	"errors"
	"fmt"

	"guardrails/internal/document"
	"guardrails/setup/jsontext"
)

// unread() completes the error for a settings file that is not JSON. It adds the effect to the text: none of the file's
// hooks runs.
func unread(err error) error {
	if p, ok := errors.AsType[*jsontext.Problem](err); ok && p.Syntax {
		return fmt.Errorf("%w. Claude Code ignores the whole file until this is fixed. It allows no "+
			"comments and no trailing commas", err)
	}
	return err
}

// misread() completes the error for a malformed value. It adds the effect to the text: older versions of the client
// ignore more than this value.
func misread(err error) error {
	return fmt.Errorf("%w. Some versions of Claude Code ignore the whole file until this is fixed", err)
}

func read(t *jsontext.Text) ([]Entry, error) {
	r := &hookReader{t: t}
	if err := r.all(); err != nil {
		return nil, misread(err)
	}
	return r.entries, nil
}

// hookReader reads the hooks of a document. It stops at the first malformed value.
type hookReader struct {
	t       *jsontext.Text
	entries []Entry
}

func (r *hookReader) all() error {
	if err := r.t.Want(r.t.At(), "", document.Object); err != nil {
		return err
	}
	hooks := r.t.At("hooks")
	if hooks == nil {
		return nil
	}
	if err := r.t.Want(hooks, "hooks", document.Object); err != nil {
		return err
	}
	for _, event := range hooks.Members {
		if err := r.event(event.Name, event.Value); err != nil {
			return err
		}
	}
	return nil
}

func (r *hookReader) event(name string, list *jsontext.Node) error {
	path := document.Join("hooks", name)
	if err := r.t.Want(list, path, document.List); err != nil {
		return err
	}
	for i, group := range list.Items {
		if err := r.group(name, i, group, document.Index(path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *hookReader) group(event string, i int, group *jsontext.Node, path string) error {
	if err := r.t.Want(group, path, document.Object); err != nil {
		return err
	}
	matcher, err := r.text(group, path, "matcher")
	if err != nil {
		return err
	}
	list := group.Member("hooks")
	if list == nil {
		return r.t.Wrong(group, document.Join(path, "hooks"), "is missing", "add it, or remove the group")
	}
	path = document.Join(path, "hooks")
	if err := r.t.Want(list, path, document.List); err != nil {
		return err
	}
	for j, hook := range list.Items {
		e := Entry{Event: event, Matcher: matcher, Shared: len(list.Items) > 1, group: i, index: j}
		if err := r.hook(&e, hook, document.Index(path, j)); err != nil {
			return err
		}
	}
	return nil
}

func (r *hookReader) hook(e *Entry, n *jsontext.Node, path string) (err error) {
	if err := r.t.Want(n, path, document.Object); err != nil {
		return err
	}
	e.File, e.Line = r.t.File, r.t.Line(n)
	for _, m := range n.Members {
		switch at := document.Join(path, m.Name); m.Name {
		case "type":
			e.Type, err = r.text(n, path, m.Name)
		case "command":
			e.Command, err = r.text(n, path, m.Name)
		case "onFailure":
			e.OnFailure, err = r.text(n, path, m.Name)
		case "server":
			e.Server, _ = r.t.String(m.Value)
		case "tool":
			e.Tool, _ = r.t.String(m.Value)
		case "input":
			// Ignore an input that is not an object.
			_ = json.Unmarshal([]byte(r.t.Raw(m.Value)), &e.Input)
		case "args":
			e.Args, err = r.words(m.Value, at)
		case "timeout":
			e.Timeout, err = r.number(m.Value, at)
		default:
			e.Others = append(e.Others, m.Name)
		}
		if err != nil {
			return err
		}
	}
	if e.Type == "" || e.Type == startType && e.Command == "" {
		return r.t.Wrong(n, path, "has no type, or no command", "add it, or remove the entry")
	}
	r.entries = append(r.entries, *e)
	return nil
}

// text() returns a member that must be a string, or "" if it is missing.
func (r *hookReader) text(n *jsontext.Node, path, name string) (string, error) {
	value := n.Member(name)
	if value == nil {
		return "", nil
	}
	text, _ := r.t.String(value)
	return text, r.t.Want(value, document.Join(path, name), document.String)
}

func (r *hookReader) words(n *jsontext.Node, path string) ([]string, error) {
	if err := r.t.Want(n, path, document.List); err != nil {
		return nil, err
	}
	words := []string{}
	for i, item := range n.Items {
		if err := r.t.Want(item, document.Index(path, i), document.String); err != nil {
			return nil, err
		}
		word, _ := r.t.String(item)
		words = append(words, word)
	}
	return words, nil
}

func (r *hookReader) number(n *jsontext.Node, path string) (float64, error) {
	if err := r.t.Want(n, path, document.Number); err != nil {
		return 0, err
	}
	var number float64
	if err := json.Unmarshal([]byte(r.t.Raw(n)), &number); err != nil {
		return 0, r.t.Wrong(n, path, "is too large a number", "write a smaller one")
	}
	return number, nil
}
