package tooluse_test

import (
	"strings"
	"testing"

	"guardrails/detect/tooluse"
	"guardrails/guideline"
)

// lastEffect is the last effect of a command: for rm, the deletion of its last operand.
func lastEffect(t *testing.T, env *tooluse.Env, command string) tooluse.Effect {
	t.Helper()
	call := tooluse.AnalyzeCommand(env, command)
	if len(call.Effects) == 0 {
		t.Fatalf("%q has no effect", command)
	}
	return call.Effects[len(call.Effects)-1]
}

func TestPathsAreTakenFromWhatIsKnownOfTheMachine(t *testing.T) {
	for name, c := range map[string]struct {
		env     *tooluse.Env
		command string
		path    string
		event   tooluse.Event
	}{
		"nothing is known: a relative path is the project's": {nil, "rm a.txt", "a.txt", ""},
		"nothing is known: the project as a whole":           {&tooluse.Env{}, "rm -rf .", ".", tooluse.ProjectDelete},
		"nothing is known: the home directory":               {&tooluse.Env{}, "rm -rf ~", "~", tooluse.SystemDelete},
		"nothing is known: a system folder":                  {&tooluse.Env{}, "rm -rf /etc", "/etc", tooluse.SystemDelete},
		"only where it runs: that is the project":            {&tooluse.Env{Cwd: "/srv/app/sub"}, "rm /srv/app/sub/a", "a", ""},
		"only the project: it runs there":                    {&tooluse.Env{Root: "/srv/app"}, "rm -rf /srv/app", ".", tooluse.ProjectDelete},
		"a folder of the project":                            {&tooluse.Env{Root: "/srv/app", Cwd: "/srv/app/sub"}, "rm ../a", "a", ""},
		"what contains the project":                          {&tooluse.Env{Root: "/srv/app/x"}, "rm -rf /srv/app", "/srv/app", tooluse.SystemDelete},
		"a slash at the end":                                 {&tooluse.Env{Root: "/srv/app/"}, "rm -rf /srv/app/", ".", tooluse.ProjectDelete},
		"a Windows project":                                  {&tooluse.Env{Root: `C:\work\app`, Home: `C:\Users\ann`}, "rm 'C:/work/app/a.txt'", "a.txt", ""},
		"a Windows project as a whole":                       {&tooluse.Env{Root: `C:\work\app`}, `rm -rf 'C:\work\app'`, ".", tooluse.ProjectDelete},
		"a Windows home directory":                           {&tooluse.Env{Root: `C:\work\app`, Home: `C:\Users\ann`}, `rm 'C:\Users\ann\x'`, "~/x", tooluse.OutsideDelete},
		"the root is the project: a file":                    {&tooluse.Env{Root: "/"}, "rm /srv/x/a.txt", "/srv/x/a.txt", tooluse.OutsideDelete},
		"the root is the project: everything":                {&tooluse.Env{Root: "/"}, "rm -rf /", "/", tooluse.SystemDelete},
		"the root is the home directory":                     {&tooluse.Env{Root: "/srv/app", Home: "/"}, "rm -rf /etc", "/etc", tooluse.SystemDelete},
	} {
		t.Run(name, func(t *testing.T) {
			e := lastEffect(t, c.env, c.command)
			if e.Path != c.path || c.event != "" && !e.Has(c.event) || c.event == "" && len(e.Events) > 0 {
				t.Errorf("%s: %q %v, want %q %q", c.command, e.Path, e.Events, c.path, c.event)
			}
		})
	}
}

func TestLinksAreFollowedByTheCaller(t *testing.T) {
	env := &tooluse.Env{Root: "/srv/app", Home: "/home/ann", Resolve: func(path string) string {
		return strings.Replace(path, "/srv/app/link", "/etc", 1)
	}}
	for command, want := range map[string]struct {
		path  string
		event tooluse.Event
	}{
		"rm link/passwd":            {"/etc/passwd", tooluse.SystemDelete},
		"tee link/passwd":           {"/etc/passwd", tooluse.SystemChange},
		"cat link/shadow":           {"/etc/shadow", tooluse.SecretAccess},
		"cd link && rm passwd":      {"/etc/passwd", tooluse.SystemDelete},
		"rm src/a.txt":              {"src/a.txt", ""},
		"rm -rf link/$name":         {"link/$name", tooluse.DestructiveOp},
		"cp a.txt link/cron.d/x.sh": {"/etc/cron.d/x.sh", tooluse.StartupChange},
	} {
		e := lastEffect(t, env, command)
		if e.Path != want.path || want.event != "" && !e.Has(want.event) || want.event == "" && len(e.Events) > 0 {
			t.Errorf("%s: %q %v, want %+v", command, e.Path, e.Events, want)
		}
	}
}

func TestPlaceIsThePathThatPatternsSee(t *testing.T) {
	for command, want := range map[string]guideline.Path{
		"rm -rf src":   {Name: "src", Tree: true},
		"rm src/a.txt": {Name: "src/a.txt"},
		"rm src/*.txt": {Name: "src/*.txt", Tree: true, Glob: true},
	} {
		if e := lastEffect(t, &tooluse.Env{Root: "/srv/app"}, command); e.Place() != want {
			t.Errorf("%s: %+v, want %+v", command, e.Place(), want)
		}
	}
}
