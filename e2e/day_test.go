//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

const mostQuestions = 2

// The test plays a day's work with the settings that "guardrails init" writes. A person answers every question with
// yes. The client must make every call, and must ask at most two questions.
func TestANormalDayAsksAtMostTwice(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		for name, day := range map[string]func(*stage) agenda{"short commands": shortDay, "long commands": longDay} {
			t.Run(version(client)+"/"+name, func(t *testing.T) {
				s := newStage(t, client)
				s.openShop()
				day(s).live(s)
			})
		}
	}
}

// live() plays the calls in an interactive session, answers every question with yes, and counts the questions.
func (a agenda) live(s *stage) {
	s.t.Helper()
	model := s.model(append(a.steps(), fakemodel.Say("The day is over.")))
	o := s.options(model)
	o.Allowed = []string{"Bash", "Edit", "Write", "Read"}
	shown := s.open(model, o).answersAll("implement retries of requests that fail", "The day is over.")
	var asked []string
	for _, r := range s.recorded("decision", "") {
		if r.Outcome == "ask" {
			asked = append(asked, r.Reason)
		}
	}
	ids := a.ids()
	s.t.Logf("%d calls, %d questions:\n%s", len(ids), shown, strings.Join(asked, "\n"))
	if shown > mostQuestions || len(asked) != shown {
		s.t.Errorf("the screen showed %d questions, want at most %d; the record has %d", shown, mostQuestions, len(asked))
	}
	if len(ids) != 35 {
		s.t.Errorf("the day has %d calls, want 35", len(ids))
	}
	for _, id := range ids {
		if got := s.result(model, id); got.Failed {
			s.t.Errorf("%s did not run: %s", id, got.Text)
		}
	}
}

// openShop makes a project with tests, a remote repository, installed packages, settings and an old branch.
func (s *stage) openShop() {
	s.t.Helper()
	for name, text := range map[string]string{
		"package.json":      `{"name": "shop", "scripts": {"test": "make test"}}`,
		"Makefile":          "test:\n\t@sh tests/all.sh\ndeps:\n\t@mkdir -p node_modules/left\n",
		"README.md":         "# Shop\n",
		".gitignore":        "node_modules/\n.env\n",
		".env":              "TOKEN=secret\n",
		".env.example":      "TOKEN=\n",
		"src/client.js":     "export const tries = 1;\n",
		"src/price.js":      "export const price = 1;\n",
		"tests/all.sh":      "grep -q tries src/client.js && echo ok\n",
		"node_modules/a.js": "",
	} {
		s.file(name, text)
	}
	s.command(s.bin+"/guardrails", "init")
	s.command("sh", "-ec", `
		git config user.email dev@example.com; git config user.name Dev
		git init -q --bare ../remote.git; git remote add origin ../remote.git
		git add .; git commit -qm "Start"; git branch -M main; git push -qu origin main
		git branch fix/typo`)
}

// agenda lists the tool calls of a day in order, including the calls that start a subagent.
type agenda []fakemodel.Call

const subagentCalls = 4

func (a agenda) steps() []fakemodel.Step {
	var out []fakemodel.Step
	for i, c := range a {
		out = append(out, fakemodel.Use(c.Named(callID(i))))
	}
	return out
}

func callID(i int) string { return fmt.Sprintf("call_%02d", i+1) }

func subagentID(i int) string { return fmt.Sprintf("sub_%d", i+1) }

// ids() returns the ids of all calls, including the calls that the subagent makes.
func (a agenda) ids() []string {
	var out []string
	for i := range a {
		out = append(out, callID(i))
	}
	for i := range subagentCalls {
		out = append(out, subagentID(i))
	}
	return out
}

// describer() returns the call that starts a subagent. The subagent writes a page.
func describer(s *stage) fakemodel.Call {
	var steps []fakemodel.Step
	for i, c := range [subagentCalls]fakemodel.Call{
		fakemodel.Read(s.path("src/retry.js")), fakemodel.Write(s.path("docs/retry.md"), "# Retries\n"),
		fakemodel.Bash("make test"), fakemodel.Bash("ls docs"),
	} {
		steps = append(steps, fakemodel.Use(c.Named(subagentID(i))))
	}
	return fakemodel.Agent("backend", "describe the retries", append(steps, fakemodel.Say("The retries are described."))...)
}

// shortDay returns a day on which each Bash call runs one simple command.
func shortDay(s *stage) agenda {
	bash := fakemodel.Bash
	edit := func(name, old, text string) fakemodel.Call { return fakemodel.Edit(s.path(name), old, text) }
	read := func(name string) fakemodel.Call { return fakemodel.Read(s.path(name)) }
	return agenda{
		bash("git status"),
		bash("git switch -c feature/retry"),
		read("README.md"),
		read(".env.example"),
		bash("cat .env"),
		bash("grep -rn tries src tests"),
		read("src/client.js"),
		edit("src/client.js", "tries = 1", "tries = 3"),
		bash("make -s test"),
		fakemodel.Write(s.path("src/retry.js"), "export const wait = 100;\n"),
		bash("make test"),
		bash("git diff --stat"),
		bash("git add -A"),
		bash("git commit -m 'Retry requests that fail'"),
		bash("rm -rf node_modules"),
		bash("make deps"),
		read("src/retry.js"),
		edit("src/retry.js", "100", "200"),
		bash("make test"),
		bash("git commit -am 'Wait longer'"),
		describer(s),
		read("src/price.js"),
		edit("src/price.js", "price = 1", "price = nothing"),
		bash("git restore src/price.js"),
		edit("README.md", "# Shop", "# Shop\n\nRequests are retried."),
		bash("git add README.md docs"),
		bash("git commit -m 'Describe the retries'"),
		bash("git push -u origin feature/retry"),
		bash("git branch --merged"),
		bash("git branch -d fix/typo"),
		bash("git fetch --prune"),
	}
}

// longDay returns a day with the same work, done in other ways. It has calls with several commands, long messages, and
// a push to the default branch.
func longDay(s *stage) agenda {
	bash := fakemodel.Bash
	edit := func(name, old, text string) fakemodel.Call { return fakemodel.Edit(s.path(name), old, text) }
	read := func(name string) fakemodel.Call { return fakemodel.Read(s.path(name)) }
	commit := func(title string) fakemodel.Call {
		message := title + "\n\nIt doesn't rm -rf / or push --force.\n"
		return bash("git add -A && git commit -m \"$(cat <<'EOF'\n" + message + "EOF\n)\" && git status -sb")
	}
	return agenda{
		bash("git status --short && git log --oneline -5 && git branch -vv"),
		bash("cd " + s.project + " && ls -la && find . -name '*.js' -not -path './node_modules/*' | head -50"),
		read("Makefile"),
		bash("cat .env.example && wc -l README.md"),
		read(".env"),
		bash("grep -rn 'tries' --include='*.js' . | head -20; sed -n '1,40p' src/client.js"),
		read("src/client.js"),
		edit("src/client.js", "tries = 1", "tries = 3"),
		bash("for f in src/*.js; do node --check \"$f\" 2>/dev/null || true; done"),
		bash("make -s test 2>&1 | tail -20"),
		bash("cat > src/retry.js <<'EOF'\nexport const wait = 100;\nEOF"),
		bash("set -o pipefail; timeout 60 make test 2>&1 | tee /tmp/shop-test.log | tail -5"),
		commit("Retry requests that fail"),
		bash("rm -rf node_modules && make deps"),
		read("src/retry.js"),
		edit("src/retry.js", "100", "200"),
		bash("sed -i 's/price = 1/price = 2/' src/price.js && git diff src/price.js"),
		bash("make test && echo passed"),
		commit("Wait longer"),
		describer(s),
		read("src/price.js"),
		edit("src/price.js", "price = 2", "price = nothing"),
		bash("git diff HEAD -- src/price.js; git checkout HEAD -- src/price.js"),
		bash("mkdir -p docs && mv docs/retry.md docs/retries.md && ls docs"),
		bash("printf '\\nRequests are retried.\\n' >> README.md"),
		commit("Describe the retries"),
		bash("git fetch origin && git rev-list --count origin/main..HEAD"),
		bash("git push origin HEAD"),
		bash("git branch --merged main | grep -v main | xargs -r git branch -d"),
		bash("python3 -c 'print(open(\"package.json\").read())' 2>/dev/null || cat package.json"),
		bash("rm -f /tmp/shop-test.log && git stash list"),
	}
}

// answersAll types a prompt. It answers every question with yes until the screen shows the text in the parameter named
// end, and returns the number of questions.
func (t *terminal) answersAll(prompt, end string) (questions int) {
	const question = "Do you want to"
	t.s.t.Helper()
	t.must(t.Type(t.ctx, prompt))
	for {
		screen, err := t.Settled(t.ctx, func(screen string) string {
			if strings.Contains(screen, end) || strings.Contains(screen, question) {
				return screen
			}
			return ""
		})
		t.must(err)
		if !strings.Contains(screen, question) {
			return questions
		}
		questions++
		t.chooses("Yes")
	}
}
