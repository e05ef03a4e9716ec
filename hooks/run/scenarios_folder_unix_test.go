//go:build unix

package run_test

import (
	"os"
	"syscall"

	"guardrails/hooks/session"
)

// onlyOnce returns a function that calls do() only once, not once for each session.
func onlyOnce(do func(m *machine)) func(*machine, []string) {
	return func(m *machine, _ []string) { do(m) }
}

// eachFile returns a function that removes a file of every session and then calls put(). put() must create something
// else at the same path.
func eachFile(name func(session string) string, put func(m *machine, path string)) func(*machine, []string) {
	return func(m *machine, sessions []string) {
		for _, of := range sessions {
			replaceFile(put)(m, m.sessions+"/"+name(of))
		}
	}
}

func fifo(m *machine, path string)    { must(m.t, syscall.Mkfifo(path, 0o600)) }
func aFolder(m *machine, path string) { must(m.t, os.Mkdir(path, 0o700)) }
func aFile(m *machine, path string)   { must(m.t, os.WriteFile(path, nil, 0o600)) }

func linkTo(m *machine, path string) {
	must(m.t, os.MkdirAll(m.work+"/elsewhere", 0o700))
	must(m.t, os.Symlink(m.work+"/elsewhere", path))
}

// The constant "limited" adds a guideline that limits how many files a session may change. To check the limit, the
// hooks need the session's ledger.
const limited = usual + `
  - id: few-files
    name: Small steps
    category: context_constraint
    action: {type: constraint, max_files: 20}
`

// folderScenarios returns scenarios about the folder with the files of the sessions, and about the other files in it.
func folderScenarios() map[string]scenario {
	sessions := func(put func(*machine, string)) func(*machine, []string) {
		return onlyOnce(func(m *machine) { replaceFile(put)(m, m.sessions) })
	}
	return map[string]scenario{
		"the folder for sessions is missing":                                  {spoil: sessions(func(*machine, string) {})},
		"the folder for sessions is a link":                                   {spoil: sessions(linkTo)},
		"the folder for sessions is a link, and a limit needs a record in it": {guidelines: limited, spoil: sessions(linkTo)},
		"the folder for sessions is a file":                                   {spoil: sessions(aFile)},
		"others can write to the folder for sessions":                         {spoil: onlyOnce(func(m *machine) { must(m.t, os.Chmod(m.sessions, 0o777)) })},
		"the folder for sessions belongs to another user":                     {spoil: onlyOnce(func(m *machine) { giveAway(m.t, m.sessions) })},
		"the folder for sessions is not writable":                             {cold: true, spoil: onlyOnce(func(m *machine) { m.close(m.sessions) })},
		"the session's record is a FIFO":                                      {spoil: eachFile(session.LedgerName, fifo)},
		"the session's record is a FIFO, and a limit needs it":                {guidelines: limited, spoil: eachFile(session.LedgerName, fifo)},
		"the session's record has unreadable lines":                           {guidelines: limited, spoil: eachFile(session.LedgerName, tornLines)},
		"the heartbeat files of the session are folders":                      {spoil: folderBeats},
		"HOME is not set": {spoil: onlyOnce(func(m *machine) { delete(m.env, "HOME") })},
		"neither HOME nor a folder for sessions is usable": {spoil: onlyOnce(func(m *machine) { delete(m.env, "HOME"); must(m.t, os.Chmod(m.sessions, 0o777)) })},
		"the working folder is deleted":                    {spoil: onlyOnce(func(m *machine) { m.tasks = []string{noFolder} }), document: set("cwd", "/nowhere/at/all")},
		"the project is deleted":                           {spoil: onlyOnce(func(m *machine) { must(m.t, os.RemoveAll(m.project)) })},
	}
}

func (m *machine) close(dir string) {
	m.t.Helper()
	must(m.t, os.MkdirAll(dir, 0o700))
	must(m.t, os.Chmod(dir, 0o500))
	m.t.Cleanup(func() { must(m.t, os.Chmod(dir, 0o700)) })
	m.tasks = []string{noPrivileges}
}

func tornLines(m *machine, path string) {
	must(m.t, os.WriteFile(path, []byte("\ntorn\n\n{\"kind\":\"wrote\",\"path\":5}\n\n\x00\xff\n\n{\"kind\":\"wr"), 0o600))
}

func folderBeats(m *machine, sessions []string) {
	for _, of := range sessions {
		for _, event := range []string{"PreToolUse", "PostToolUse", "UserPromptSubmit", "SubagentStart", "Stop", "SessionEnd"} {
			must(m.t, os.Mkdir(m.sessions+"/"+session.BeatName(of, event), 0o700))
		}
	}
}
