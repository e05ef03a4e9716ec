// Judge reads a JSON list of shell commands from stdin. For each command, it prints the effects and the decision of the
// core guidelines. A test builds Judge twice: with the library's parser, and with the hooks' copy of the parser. Both
// programs must have the same output.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"guardrails/decide"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(from io.Reader, to io.Writer) error {
	var commands []string
	if err := json.NewDecoder(from).Decode(&commands); err != nil {
		return fmt.Errorf("the commands are not a JSON list of strings: %w", err)
	}
	pack, err := rules.Pack("core")
	if err != nil {
		return err
	}
	set, err := evaluator.Compile(pack.Plain())
	if err != nil {
		return err
	}
	out := json.NewEncoder(to)
	env := toolcall.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}
	for _, command := range commands {
		call := toolcall.AnalyzeCommand(&env, command)
		if err := out.Encode([]any{command, call, decide.Judge(decide.Alone(set, guideline.Context{}), call,
			decide.Facts{})}); err != nil {
			return err
		}
	}
	return nil
}
