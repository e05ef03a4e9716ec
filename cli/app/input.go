package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"guardrails/internal/document"
)

// readInput reads a file, or stdin where the name is -, and says what to call it in messages.
func (a *App) ReadInput(name string) (content []byte, shown string, err error) {
	if name == "-" {
		content, err = io.ReadAll(io.LimitReader(a.Stdin, document.MaxSize+1))
		if err != nil {
			return nil, "", Failf("stdin: cannot be read: %v; give a file instead", err)
		}
		return content, "stdin", withinSize("stdin", content)
	}
	shown = document.Printable(name)
	content, err = readRegular(name)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, "", Failf("%s: cannot be read: %v; check the path", shown, at.Err)
	}
	if err != nil {
		return nil, "", Failf("%s: %v; copy it into a file, or give it on stdin as -", shown, err)
	}
	return content, shown, withinSize(shown, content)
}

// readRegular reads a file as far as a document may reach. A pipe could keep the program waiting, a device never ends.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.New("is not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(file, document.MaxSize+1))
}

func withinSize(shown string, content []byte) error {
	if len(content) <= document.MaxSize {
		return nil
	}
	return Failf("%s: is larger than %d MiB; give less", shown, document.MaxSize>>20)
}

// Confirm asks the person at the terminal a question.
func (a *App) Confirm(question string) bool {
	_, _ = fmt.Fprintf(a.Stderr, "%s [y/N] ", question)
	line, _ := bufio.NewReader(a.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
