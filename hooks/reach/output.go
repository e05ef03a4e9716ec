package reach

import "time"

// Output runs a program without input and returns its output. It stops a program that takes too long.
func Output(path string, args []string, timeout time.Duration) ([]byte, error) {
	deadline := time.Now().Add(timeout)
	c := command{path: path, args: append([]string{path}, args...), left: func() time.Duration { return time.Until(deadline) }}
	e, err := c.run(nil)
	if err != nil {
		return nil, err
	}
	if e.died != "" {
		return nil, &Failure{StageRun, path + " " + e.died + e.said()}
	}
	return e.out, nil
}
