package compare

import "testing"

func FuzzQuestions(f *testing.F) {
	f.Add([]byte("- context: {agent: backend, unknown: [paths]}\n- tool: Bash\n  command: ls\n"))
	f.Add([]byte("cases:\n  - name: x\n    tool: Write\n    input: {a: [1, null]}\n    expect: {}\n"))
	f.Add([]byte("guidelines: []\ncases: 3\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, problems := ParseQuestions("questions.yaml", raw)
		if len(list) == 0 && len(problems) == 0 {
			t.Fatal("neither questions nor problems")
		}
		for i := range list {
			list[i].label()
			list[i].key()
		}
	})
}

func FuzzSamples(f *testing.F) {
	for _, pattern := range []string{"src/*", "{a,b}/[!x]?", "Bash(npm test:*)", "[]a]{", "Write({a,{b,c}}/**)", "WebFetch(domain:*.x.org)", "mcp__a"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		samplePath(pattern)
		sampleCall(pattern)
	})
}
