package reach

import (
	"guardrails/internal/document"
)

// RunHook runs another hook program with an event on its stdin, and returns what it prints.
func RunHook(program string, event []byte) ([]byte, error) {
	c := command{path: program, args: []string{program}, left: (&Asker{}).timer(0, defaultCold)}
	e, err := c.run(event)
	if err == nil && e.died != "" {
		err = &Failure{StageRun, program + " " + e.died + e.said()}
	}
	return document.Trim(e.out), err
}
