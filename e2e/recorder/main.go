// Command recorder is a hook for tests. It records its input and prints a prepared answer.
//
// recorder FOLDER writes its stdin to a new file in FOLDER/calls. Then it prints FOLDER/answers/EVENT.TOOL.json or
// FOLDER/answers/EVENT.json, if one of them exists.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if err := record(os.Args[1], os.Stdin, os.Stdout, time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(1)
	}
}

func record(folder string, stdin io.Reader, stdout io.Writer, now time.Time) error {
	input, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	var event struct {
		Name string `json:"hook_event_name"`
		Tool string `json:"tool_name"`
	}
	if err := json.Unmarshal(input, &event); err != nil {
		return err
	}
	// Sorting the names sorts the files by time. The process id makes the names differ if two hooks run at the same
	// moment.
	name := fmt.Sprintf("%020d-%d.json", now.UnixNano(), os.Getpid())
	if err := os.WriteFile(filepath.Join(folder, "calls", name), input, 0o600); err != nil {
		return err
	}
	for _, name := range []string{event.Name + "." + event.Tool, event.Name} {
		answer, err := os.ReadFile(filepath.Join(folder, "answers", name+".json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = stdout.Write(answer)
		return err
	}
	return nil
}
