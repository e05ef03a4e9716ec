// Command mcpserver is a small MCP server for tests, on stdin and stdout.
//
// mcpserver FILE offers two tools. The tool "note" appends its text to FILE, so a test can see whether a call ran. The
// tool "read" returns the text of FILE.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := serve(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mcpserver:", err)
		os.Exit(1)
	}
}

type request struct {
	// ID is missing in notifications, which get no answer.
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
		Name            string `json:"name"`
		Arguments       struct {
			Text string `json:"text"`
		} `json:"arguments"`
	} `json:"params"`
}

type object = map[string]any

// serve() answers requests until the input ends. Each line is one request.
func serve(file string, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if err := answer(file, line, out); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answer(file string, line []byte, out io.Writer) error {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if r.ID == nil {
		return nil
	}
	reply := object{"jsonrpc": "2.0", "id": r.ID}
	if result, err := r.result(file); err != nil {
		reply["error"] = object{"code": -32603, "message": err.Error()}
	} else {
		reply["result"] = result
	}
	return json.NewEncoder(out).Encode(reply)
}

func (r *request) result(file string) (object, error) {
	switch r.Method {
	case "initialize":
		return object{
			"protocolVersion": r.Params.ProtocolVersion,
			"capabilities":    object{"tools": object{}},
			"serverInfo":      object{"name": "probe", "version": "1"},
		}, nil
	case "ping":
		return object{}, nil
	case "tools/list":
		return object{"tools": tools()}, nil
	case "tools/call":
		text, err := call(file, r.Params.Name, r.Params.Arguments.Text)
		return object{"content": []object{{"type": "text", "text": text}}}, err
	}
	return nil, fmt.Errorf("unknown method %q", r.Method)
}

func tools() []object {
	text := object{"text": object{"type": "string"}}
	return []object{
		{"name": "note", "description": "Notes a text.", "inputSchema": object{
			"type": "object", "properties": text,
			"required": []string{"text"},
		}},
		{"name": "read", "description": "Tells what was noted.", "inputSchema": object{
			"type":       "object",
			"properties": object{},
		}},
	}
}

func call(file, tool, text string) (string, error) {
	if tool == "note" {
		return "noted", note(file, text)
	}
	noted, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return "nothing was noted", nil
	}
	return string(noted), err
}

func note(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, text)
	return errors.Join(err, f.Close())
}
