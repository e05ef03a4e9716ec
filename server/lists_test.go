package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/server/access"
)

// pagedList is a list that REST, MCP or the command line offers.
type pagedList struct {
	// The field "transport" is "REST", "MCP" or "command line". The field "name" is the name of the list. For REST, it
	// is the path in the API's document.
	transport, name string
	// read() reads a page. If the call fails, wrong is the error message.
	read func(size int, cursor string) (page listPage, wrong string)
}

type listPage struct {
	ids  []string
	next string
}

// listsFixture is a server with a store, and a command line that uses the same store.
type listsFixture struct {
	*fixture
	tenantClient
	webhook string
	// The field "round" counts the calls of write().
	round int
}

func newListsFixture(t *testing.T) *listsFixture {
	t.Helper()
	f := &listsFixture{fixture: newFixture(t)}
	f.useStore()
	f.file(".claude/guardrails.yaml", "packs: []\n")
	address, _, _ := f.servePort(f.server())
	f.tenantClient = tenantClient{t, address, f.fixture.token(access.Token{Name: "lists", Role: access.Admin})}
	for i := range 8 {
		f.create(fmt.Sprint("stays", i), 100*(i/2))
		f.create(fmt.Sprint("goes", i), 100*(i/2))
		f.must(http.MethodPost, "/tokens", fmt.Sprintf(`{"name":"goes%d","role":"read"}`, i))
		f.decide(fmt.Sprint("session", i))
	}
	for version := 1; version < 8; version++ {
		f.update("stays0", version)
	}
	made := f.must(http.MethodPost, "/webhooks", `{"url":"http://127.0.0.1:9/nobody","events":["safety.blocked"]}`)
	f.webhook = fmt.Sprint(made["id"])
	for range 6 {
		f.must(http.MethodPost, "/webhooks/"+f.webhook+"/test", "")
	}
	return f
}

// must() sends a request to the REST API.
func (f *listsFixture) must(method, path, body string) (answer map[string]any) {
	f.tenantClient.t.Helper()
	code, text := f.rest(method, "/api/guardrails"+path, body)
	if code >= http.StatusBadRequest {
		f.tenantClient.t.Fatalf("%s %s: %d %s", method, path, code, text)
	}
	if text != "" {
		check(f.fixture.t, json.Unmarshal([]byte(text), &answer))
	}
	return answer
}

func (f *listsFixture) create(id string, priority int) {
	f.must(http.MethodPost, "", fmt.Sprintf(
		`{"id":%q,"name":"G","category":"custom","priority":%d,"action":{"type":"instruction","instruction":"x"}}`, id, priority))
}

func (f *listsFixture) update(id string, version int) {
	f.must(http.MethodPut, "/"+id, fmt.Sprintf(`{"version":%d,"description":"version %d"}`, version, version+1))
}

func (f *listsFixture) decide(session string) {
	f.callTool("guardrails_log_decision",
		`{"guideline_id":"stays0","context":{"agent":"a","session_id":"`+session+`"},"result":"approved","reason":"r"}`)
}

// write() adds an item to each list, and removes an item from each list whose items can be removed.
func (f *listsFixture) write() {
	n := f.round
	f.round++
	f.create(fmt.Sprint("comes", n), n*150%1000)
	f.must(http.MethodPost, "/tokens", fmt.Sprintf(`{"name":"comes%d","role":"read"}`, n))
	f.update("stays0", 8+n)
	f.must(http.MethodPost, "/webhooks/"+f.webhook+"/test", "")
	f.decide(fmt.Sprint("later", n))
	if gone := fmt.Sprint("goes", n); n < 8 {
		f.must(http.MethodDelete, "/"+gone+"?version=1", "")
		f.must(http.MethodDelete, "/tokens/"+gone, "")
	}
}

func (f *listsFixture) overREST(path, items, id string) pagedList {
	return pagedList{"REST", "/api/guardrails" + path, func(size int, cursor string) (listPage, string) {
		query := url.Values{"page_size": {strconv.Itoa(size)}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		code, text := f.rest(http.MethodGet, "/api/guardrails"+strings.Replace(path, "{id}", f.idFor(path), 1)+"?"+query.Encode(), "")
		if code != http.StatusOK {
			return listPage{}, text
		}
		return f.pageIn(text, items, id), ""
	}}
}

func (f *listsFixture) idFor(path string) string {
	if strings.HasPrefix(path, "/webhooks") {
		return f.webhook
	}
	return "stays0"
}

func (f *listsFixture) overMCP(tool, items, id string) pagedList {
	return pagedList{"MCP", tool, func(size int, cursor string) (listPage, string) {
		arguments := map[string]any{"page_size": size}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		text, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
		})
		check(f.fixture.t, err)
		_, body := f.rest(http.MethodPost, "/mcp", string(text))
		var answer struct {
			Result struct {
				IsError           bool
				StructuredContent json.RawMessage
				Content           []struct{ Text string }
			}
		}
		check(f.fixture.t, json.Unmarshal([]byte(body), &answer))
		if answer.Result.IsError {
			return listPage{}, answer.Result.Content[0].Text
		}
		return f.pageIn(string(answer.Result.StructuredContent), items, id), ""
	}}
}

// onCommandLine returns a list that reads its pages with a command. The variables are added to the environment of the
// command.
func (f *listsFixture) onCommandLine(name, items, id string, variables map[string]string) pagedList {
	return pagedList{"command line", name, func(size int, cursor string) (listPage, string) {
		args := append(strings.Fields(strings.ReplaceAll(name, "WEBHOOK", f.webhook)), "-o", "json", "--page-size", strconv.Itoa(size))
		if cursor != "" {
			args = append(args, "--cursor", cursor)
		}
		var out, wrong bytes.Buffer
		code := cli.Run(args, &app.System{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &wrong, Cwd: f.root, User: func() string { return "ann" },
			Env: func(name string) string {
				if value, set := variables[name]; set {
					return value
				}
				return f.env(name)
			},
		})
		if code != app.OK {
			return listPage{}, wrong.String()
		}
		return f.pageIn(out.String(), items, id), ""
	}}
}

func (f *listsFixture) pageIn(text, items, id string) (page listPage) {
	f.fixture.t.Helper()
	var answer map[string]any
	check(f.fixture.t, json.Unmarshal([]byte(text), &answer))
	list, ok := answer[items].([]any)
	if !ok {
		f.fixture.t.Fatalf("no %s in %s", items, text)
	}
	for _, one := range list {
		item, _ := one.(map[string]any)
		page.ids = append(page.ids, fmt.Sprint(item[id]))
	}
	page.next, _ = answer["next_cursor"].(string)
	return page
}

// lists() returns all lists that have pages.
func (f *listsFixture) lists() []pagedList {
	file := f.root + "/../secret"
	check(f.fixture.t, os.WriteFile(file, []byte(f.tenantClient.token), 0o600))
	server := map[string]string{
		"GUARDRAILS_SERVER": fmt.Sprintf(`{"url":"http://%s/mcp","token_file":%q}`, f.address, file), "XDG_DATA_HOME": f.root + "/../none",
	}
	return []pagedList{
		f.overREST("", "guidelines", "id"),
		f.overREST("/{id}/history", "revisions", "version"),
		f.overREST("/audit", "entries", "id"),
		f.overREST("/sessions", "sessions", "session"),
		f.overREST("/tokens", "tokens", "name"),
		f.overREST("/webhooks/{id}/deliveries", "deliveries", "id"),
		f.overMCP("guardrails_list", "guidelines", "id"),
		f.overMCP("guardrails_audit", "entries", "id"),
		f.onCommandLine("list", "guidelines", "id", nil),
		f.onCommandLine("list", "guidelines", "id", server),
		f.onCommandLine("list --store", "guidelines", "id", nil),
		f.onCommandLine("history stays0", "revisions", "version", nil),
		f.onCommandLine("audit list", "entries", "id", nil),
		f.onCommandLine("webhooks deliveries WEBHOOK", "deliveries", "id", nil),
	}
}

func TestEachListHasEachItemOnceOnItsPagesWhileAWriterAddsAndRemovesItems(t *testing.T) {
	for i, l := range newListsFixture(t).lists() {
		t.Run(l.transport+" "+l.name, func(t *testing.T) {
			f := newListsFixture(t)
			l := f.lists()[i]
			before, wrong := l.read(200, "")
			if wrong != "" || len(before.ids) < 6 || before.next != "" {
				t.Fatalf("%+v %s", before, wrong)
			}
			var got []string
			for cursor := ""; ; {
				page, wrong := l.read(5, cursor)
				if wrong != "" {
					t.Fatal(wrong)
				}
				got = append(got, page.ids...)
				if cursor = page.next; cursor == "" {
					break
				}
				f.write()
			}
			after, _ := l.read(200, "")
			var want, stayed []string
			for _, id := range before.ids {
				if slices.Contains(after.ids, id) {
					want = append(want, id)
				}
			}
			seen := map[string]bool{}
			for _, id := range got {
				if seen[id] {
					t.Errorf("%s is on two pages", id)
				}
				if seen[id] = true; slices.Contains(want, id) {
					stayed = append(stayed, id)
				}
			}
			if !slices.Equal(stayed, want) {
				t.Errorf("got  %v\nwant %v", stayed, want)
			}
			if slices.Equal(before.ids, after.ids) {
				t.Error("the writer changed nothing")
			}
		})
	}
}

func TestAWrongCursorIsAnErrorThatNamesTheCursorInEachList(t *testing.T) {
	f := newListsFixture(t)
	lists := f.lists()
	for i, l := range lists {
		t.Run(l.transport+" "+l.name, func(t *testing.T) {
			page, wrong := l.read(2, "")
			if wrong != "" || page.next == "" {
				t.Fatal(page, wrong)
			}
			theirs, _ := lists[(i+2)%len(lists)].read(2, "")
			for name, cursor := range map[string]string{
				"damaged": page.next[1:], "invented": "abc", "of another list": theirs.next, "too long": strings.Repeat("A", 4097),
			} {
				if _, wrong := l.read(2, cursor); !strings.Contains(wrong, "cursor") {
					t.Errorf("a cursor that is %s: %q", name, wrong)
				}
			}
		})
	}
}

func TestTheTestsOfListsKnowEachListOfRESTAndMCP(t *testing.T) {
	var api struct {
		Paths map[string]map[string]struct{ Parameters []struct{ Name string } }
	}
	readFile(t, "../docs/openapi.json", &api)
	var published struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Properties map[string]any }
		}
	}
	readFile(t, "mcp/testdata/tools_admin.json", &published)
	var want []string
	for path, methods := range api.Paths {
		for _, p := range methods["get"].Parameters {
			if p.Name == "page_size" {
				want = append(want, "REST "+path)
			}
		}
	}
	for _, tool := range published.Tools {
		if tool.InputSchema.Properties["cursor"] != nil {
			want = append(want, "MCP "+tool.Name)
		}
	}
	var got []string
	for _, l := range newListsFixture(t).lists() {
		if l.transport != "command line" {
			got = append(got, l.transport+" "+l.name)
		}
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the tests know %v, and published are %v", got, want)
	}
}

func readFile(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	check(t, json.Unmarshal(text, into))
}
