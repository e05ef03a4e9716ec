//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// ofTenant returns another stage for the user of s. The project of this stage belongs to a tenant. A guideline of the
// tenant forbids writing to the folder that has the tenant's name.
func (s *stage) ofTenant(name string) *stage {
	s.t.Helper()
	of := *s
	of.project = filepath.Join(s.base, name)
	if err := os.Mkdir(of.project, 0o755); err != nil {
		s.t.Fatal(err)
	}
	of.command("git", "init", "-q")
	of.file(".claude/guardrails.yaml", "tenant: "+name+"\npacks: [core]\n")
	of.command(of.bin+"/guardrails", "init")
	of.file("closed.yaml", fmt.Sprintf(`
guidelines:
  - id: %[1]s-stays-closed
    name: The folder %[1]s stays closed
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(%[1]s/*)"], instruction: The folder of %[1]s-stays-closed stays closed.}
`, name))
	of.command(of.bin+"/guardrails", "apply", "--all-projects", "-f", "closed.yaml")
	return &of
}

// writeInto returns a step in which the model writes to a folder. The id of the call consists of the session and
// the folder.
func (s *stage) writeInto(folder string) fakemodel.Step {
	return fakemodel.Use(fakemodel.Write(s.path(folder+"/a"), "x").Named(filepath.Base(s.project) + "_" + folder))
}

// Two projects share the machine, the server and the database, and nothing else.
func TestTwoTenantsOnOneMachineSeeNothingOfEachOther(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		t.Run(version(client), func(t *testing.T) {
			s := newStage(t, client)
			blue, red := s.ofTenant("blue"), s.ofTenant("red")
			blue1, red1 := s.together(blue.writeInto("blue"), red.writeInto("blue"))
			blue2, red2 := s.together(blue.writeInto("red"), red.writeInto("red"))
			models := playBeside(
				scene{blue, []fakemodel.Step{blue1, blue2, fakemodel.Say("done")}},
				scene{red, []fakemodel.Step{red1, red2, fakemodel.Say("done")}},
			)
			s.wantResults(models[0], map[string]string{"blue_blue": "blue-stays-closed", "blue_red": ""})
			s.wantResults(models[1], map[string]string{"red_red": "red-stays-closed", "red_blue": ""})
			for i, pair := range [][2]*stage{{blue, red}, {red, blue}} {
				own, other := filepath.Base(pair[0].project), filepath.Base(pair[1].project)
				seen := pair[0].rest(other, "/api/guardrails?page_size=1000", "/api/guardrails/audit?page_size=1000", "/api/guardrails/"+own+"-stays-closed/history")
				seen["what the model received"] = strings.Join(models[i].Requests(fakemodel.MainThread)[0].Said(), "\n")
				seen["guardrails list"] = pair[0].person("list", "--page-size", "1000")
				seen["guardrails audit list"] = pair[0].person("audit", "list", "--page-size", "1000", "-o", "json")
				seen["guardrails export"] = pair[0].person("export")
				seen["guardrails audit export"] = pair[0].person("audit", "export")
				for where, text := range seen {
					if !strings.Contains(text, own+"-stays-closed") || strings.Contains(text, other+"-stays-closed") || strings.Contains(text, other+"_") {
						t.Errorf("%s of %s shows data of %s, or none of its own:\n%s", where, own, other, text)
					}
				}
			}
		})
	}
}

// rest() calls the REST API of another tenant's server with a token of this stage's tenant.
func (s *stage) rest(of string, paths ...string) map[string]string {
	s.t.Helper()
	c := exec.Command(s.bin+"/guardrails", "token", "create", "reader", "--role", "read")
	c.Dir, c.Env = s.project, s.env()
	token, err := c.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	address, stop := s.serving(filepath.Join(s.base, of))
	defer stop()
	texts := map[string]string{}
	for _, path := range paths {
		texts["GET "+path] = s.get(address+path, strings.TrimSpace(string(token)))
	}
	return texts
}

func (s *stage) get(address, token string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d, %v\n%s", address, answer.StatusCode, err, text)
	}
	return string(text)
}

func (s *stage) serving(project string) (address string, stop func()) {
	s.t.Helper()
	c := exec.Command(s.bin+"/guardrails", "serve", "--addr", "127.0.0.1:0", "-o", "json")
	c.Dir, c.Env = project, s.env()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	stop = func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var said struct {
		URL string `json:"url"`
	}
	if err == nil {
		err = json.Unmarshal(line, &said)
	}
	if err != nil {
		stop()
		s.t.Fatalf("guardrails serve: %v: %s", err, line)
	}
	return strings.TrimSuffix(said.URL, "/mcp"), stop
}
