package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"guardrails/guideline/document"
)

// readInput reads a file, or stdin where the name is -, and says what to call it in messages.
func (a *app) readInput(name string) (content []byte, shown string, err error) {
	if name == "-" {
		content, err = io.ReadAll(io.LimitReader(a.stdin, document.MaxSize+1))
		if err != nil {
			return nil, "", failure("stdin: cannot be read: %v; give a file instead", err)
		}
		return content, "stdin", nil
	}
	content, err = os.ReadFile(name)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, "", failure("%s: cannot be read: %v; check the path", name, at.Err)
	}
	return content, name, err
}
