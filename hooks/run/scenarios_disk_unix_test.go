//go:build unix

package run_test

// diskScenarios returns scenarios in which the hook cannot write files, or cannot write to stdout.
func diskScenarios() map[string]scenario {
	return map[string]scenario{
		"the spool is not writable": {spoil: onlyOnce(func(m *machine) { replaceFile(aFolder)(m, m.state+"/spool"); m.close(m.state + "/spool") })},
		"the spool is a link":       {spoil: onlyOnce(func(m *machine) { replaceFile(linkTo)(m, m.state+"/spool") })},
		"the disk is read-only": {cold: true, spoil: onlyOnce(func(m *machine) {
			for _, dir := range []string{m.sessions, m.state, m.project, m.env["HOME"]} {
				m.close(dir)
			}
		})},
		"the disk is full":            {cold: true, spoil: onlyOnce(func(m *machine) { m.tasks = []string{fullDisk} })},
		"stdout cannot be written to": {spoil: onlyOnce(func(m *machine) { m.deaf = true })},
	}
}
