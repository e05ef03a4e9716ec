package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/setup"
)

func serverReport(list []Check) string {
	var lines []string
	for _, c := range list {
		if c.Name != linkServer {
			continue
		}
		line := string(c.State) + ": " + c.Detail
		if c.Remedy != "" {
			line += " -> " + c.Remedy
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// serverReport examines the computer and returns the result for the server as text. The paths of the test are replaced
// with words in capitals.
func (p *computer) serverReport() string {
	p.t.Helper()
	places := strings.NewReplacer(p.bin, "BIN", p.project, "PROJECT", p.path("other"), "OTHER", p.path("run"), "RUN")
	return places.Replace(serverReport(p.examine().Checks))
}

const (
	mcpFile     = "project/.mcp.json"
	nothingNow  = "; no server listens now: the hooks start the guardrails program"
	soundEntry  = "ok: PROJECT/.mcp.json:3: starts BIN/guardrails" + nothingNow
	missingLine = "warning: PROJECT/.mcp.json: the server of guardrails is not installed, so each hook starts the guardrails program -> run guardrails init"
)

func TestServerEntryMatchesInitAndServerIsAllowedToStart(t *testing.T) {
	const installAgain = " -> install all programs of guardrails into one folder, then run guardrails init"
	for _, c := range []struct {
		name  string
		given func(p *computer)
		want  string
	}{
		{"set up", func(*computer) {}, soundEntry},
		{"no file", func(p *computer) { p.remove(mcpFile) }, missingLine},
		{"a blank file", func(p *computer) { p.write(mcpFile, " \n") }, missingLine},
		{"other servers", func(p *computer) { p.write(mcpFile, `{"mcpServers": {"other": {"command": "x"}}}`) }, missingLine},
		{"a list in place of the servers", func(p *computer) { p.write(mcpFile, `{"mcpServers": []}`) }, missingLine},
		{
			"invalid JSON", func(p *computer) { p.write(mcpFile, `{"mcpServers": }`) },
			"warning: PROJECT/.mcp.json:1:16: is not JSON: expected a value, found '}'; fix the syntax here; until this is fixed, the client starts no server from the file -> fix the file, then run guardrails init",
		},
		{
			"a folder", func(p *computer) { p.remove(mcpFile); p.chmod(mcpFile, 0o700) },
			"warning: PROJECT/.mcp.json: is not a regular file; move it away; until this is fixed, the client starts no server from the file -> fix the file, then run guardrails init",
		},
		{
			"another program", func(p *computer) { p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "/bin/other"}}}`) },
			`warning: PROJECT/.mcp.json:1: the entry guardrails runs "/bin/other", which is another program -> give this entry another name, then run guardrails init`,
		},
		{
			"no program", func(p *computer) { p.write(mcpFile, `{"mcpServers": {"guardrails": {"url": "http://x"}}}`) },
			`warning: PROJECT/.mcp.json:1: the entry guardrails runs "", which is another program -> give this entry another name, then run guardrails init`,
		},
		{
			"other arguments", func(p *computer) {
				p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "`+p.bin+`/guardrails", "args": ["serve"]}}}`)
			},
			"warning: PROJECT/.mcp.json:1: the entry guardrails differs from the one that guardrails init writes -> run guardrails init",
		},
		{
			"a name on PATH", func(p *computer) {
				p.t.Setenv("PATH", p.bin+":"+os.Getenv("PATH"))
				p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "guardrails", "args": ["mcp"]}}}`)
			},
			"ok: PROJECT/.mcp.json:1: starts guardrails" + nothingNow,
		},
		{
			"a name that is not on PATH", func(p *computer) {
				p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "guardrails", "args": ["mcp"]}}}`)
			},
			"warning: PROJECT/.mcp.json:1: guardrails is not on PATH -> add BIN to PATH and start Claude Code again",
		},
		{
			"another store for the server", func(p *computer) {
				p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "`+p.bin+`/guardrails", "args": ["mcp"], "env": {"A": "b", "ELASTICSEARCH_URL": "http://localhost:9200"}}}}`)
			},
			"warning: PROJECT/.mcp.json:1: its env sets ELASTICSEARCH_URL, so the tools of the server and the hooks may use different stores" +
				` -> name the store in .claude/guardrails.yaml (store: "elasticsearch:URL"), then run guardrails init`,
		},
		{
			"its program is missing", func(p *computer) { p.remove("bin/guardrails") },
			"warning: PROJECT/.mcp.json:3: BIN/guardrails is missing" + installAgain,
		},
		{
			"its program is not executable", func(p *computer) { p.remove("bin/guardrails"); p.write("bin/guardrails", "") },
			"warning: PROJECT/.mcp.json:3: BIN/guardrails cannot be run" + installAgain,
		},
		{
			"the server is missing", func(p *computer) { p.remove("bin/guardrails-server") },
			"warning: PROJECT/.mcp.json:3: the folder of BIN/guardrails has no guardrails-server, so the server cannot start" + installAgain,
		},
		{
			"the server of another installation", func(p *computer) {
				other := filepath.Join(p.base, "other")
				p.program("other/guardrails")
				p.program("other/guardrails-server")
				p.write(mcpFile, `{"mcpServers": {"guardrails": {"command": "`+other+`/guardrails", "args": ["mcp"]}}}`)
			},
			"warning: PROJECT/.mcp.json:1: starts OTHER/guardrails-server, but the hooks trust only the programs in " +
				"the folder of BIN/guardrails-enforce -> run guardrails init",
		},
		{
			"set up for the user", func(p *computer) {
				p.remove(mcpFile)
				p.remove("project/.claude/settings.json")
				p.setUp(settingsForUser(p))
			},
			"ok: not installed, because only one person's settings have the hooks" + nothingNow,
		},
		{
			"set up for one person", func(p *computer) {
				p.remove(mcpFile)
				p.remove("project/.claude/settings.json")
				p.setUp(setup.ForPerson(p.project))
			},
			"ok: not installed, because only one person's settings have the hooks" + nothingNow,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newComputer(t)
			c.given(p)
			if got := p.serverReport(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReportsWhetherTheClientStartsTheServer(t *testing.T) {
	const (
		unapproved = "warning: no settings file allows the client to start the server: the client asks the user first, and runs no server without an answer -> answer yes, or run guardrails init"
		off        = ": disabledMcpjsonServers keeps the client from starting the server -> remove guardrails from that list"
	)
	for _, c := range []struct {
		name                 string
		user, project, local string
		want                 string
	}{
		{"no setting", "", "", "", unapproved},
		{"enabled by the project", "", `{"enabledMcpjsonServers": ["guardrails"]}`, "", ""},
		{"enabled by the local settings", "", "", `{"enabledMcpjsonServers": ["other", "guardrails"]}`, ""},
		{"enabled by the user", `{"enabledMcpjsonServers": ["guardrails"]}`, "", `{"enabledMcpjsonServers": ["other"]}`, ""},
		{"another server", "", `{"enabledMcpjsonServers": ["other"]}`, "", unapproved},
		{"all servers enabled", `{"enableAllProjectMcpServers": true}`, "", "", ""},
		{"all servers enabled and overruled", `{"enableAllProjectMcpServers": true}`, "", `{"enableAllProjectMcpServers": false}`, unapproved},
		{"a string in place of a list", "", `{"enabledMcpjsonServers": "guardrails"}`, "", unapproved},
		{"a broken file", "", "", `{"enabledMcpjsonServers": ["guardrails"]`, unapproved},
		{"enabled and disabled", "", `{"enabledMcpjsonServers": ["guardrails"]}`, "{\n\"disabledMcpjsonServers\": [\"guardrails\"]}", "warning: local:2" + off},
		{"another server disabled", `{"disabledMcpjsonServers": ["other"]}`, `{"enabledMcpjsonServers": ["guardrails"]}`, "", ""},
	} {
		x := &Examination{}
		for i, text := range []string{c.user, c.project, c.local} {
			scope := []setup.Scope{setup.User, setup.Project, setup.Local}[i]
			x.files = append(x.files, settingsFile{File: setup.File{Scope: scope, Path: string(scope)}, text: []byte(text)})
		}
		x.checkLeave()
		if got := serverReport(x.Checks); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestServerThatNeedsApprovalIsReportedOnce(t *testing.T) {
	p := newComputer(t)
	p.edit("enabledMcpjsonServers", "otherServers")
	if got := p.serverReport(); strings.Count(got, "\n") != 0 || !strings.HasPrefix(got, "warning: no settings file allows the client to start") {
		t.Errorf("got %s", got)
	}
	p.remove(mcpFile)
	if got := p.serverReport(); got != missingLine {
		t.Errorf("got %s", got)
	}
}

func TestAnswerIsJudgedByContentAndDuration(t *testing.T) {
	fallback := &struct {
		Reason string `json:"reason"`
	}{"a.yaml is broken"}
	for _, c := range []struct {
		name  string
		given answer
		want  string
	}{
		{"an answer in time", answer{Count: 1, Source: "files", took: 1500 * time.Microsecond}, "ok: 1 guideline from files in 1.5 ms"},
		{"from a known program", answer{Source: "files", by: "/o/guardrails-server"}, "ok: 0 guidelines from files in 0.0 ms, by /o/guardrails-server"},
		{"a late answer", answer{Source: "files", took: time.Second}, "broken: 0 guidelines from files in 1000.0 ms; hooks wait at most 500ms -> reduce the load of this computer, or run a server"},
		{"the last known guidelines", answer{Source: "snapshot", Fallback: fallback}, "warning: 0 guidelines from snapshot in 0.0 ms: a.yaml is broken -> fix the named cause; to see more, run: guardrails fallback"},
		{"no guidelines", answer{Source: "open", Fallback: fallback}, "broken: 0 guidelines from open in 0.0 ms, so nothing is guarded: a.yaml is broken -> fix the named cause; to see more, run: guardrails fallback"},
	} {
		x := &Examination{}
		x.answered(linkServer, &c.given, warmTimeout)
		if got := serverReport(x.Checks); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
	}
}
