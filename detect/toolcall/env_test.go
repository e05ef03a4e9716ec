package toolcall_test

import (
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/guideline/pattern"
)

// lastEffect returns the last effect of a command. If the command is rm, that effect is the deletion of the last
// operand.
func lastEffect(t *testing.T, env *toolcall.Env, command string) effect.Effect {
	t.Helper()
	call := toolcall.AnalyzeCommand(env, command)
	if len(call.Effects) == 0 {
		t.Fatalf("%q has no effect", command)
	}
	return call.Effects[len(call.Effects)-1]
}

func TestPathsDependOnWhatIsKnownAboutTheMachine(t *testing.T) {
	for name, c := range map[string]struct {
		env     *toolcall.Env
		command string
		path    string
		event   effect.Event
	}{
		"nothing is known: a relative path is the project's":  {nil, "rm a.txt", "a.txt", ""},
		"nothing is known: the project as a whole":            {&toolcall.Env{}, "rm -rf .", ".", effect.ProjectDelete},
		"nothing is known: the home directory":                {&toolcall.Env{}, "rm -rf ~", "~", effect.SystemDelete},
		"nothing is known: a system folder":                   {&toolcall.Env{}, "rm -rf /etc", "/etc", effect.SystemDelete},
		"only the working folder is known: it is the project": {&toolcall.Env{Cwd: "/srv/app/sub"}, "rm /srv/app/sub/a", "a", ""},
		"only the project is known: the command runs in it":   {&toolcall.Env{Root: "/srv/app"}, "rm -rf /srv/app", ".", effect.ProjectDelete},
		"a folder of the project":                             {&toolcall.Env{Root: "/srv/app", Cwd: "/srv/app/sub"}, "rm ../a", "a", ""},
		"a folder that contains the project":                  {&toolcall.Env{Root: "/srv/app/x"}, "rm -rf /srv/app", "/srv/app", effect.SystemDelete},
		"a slash at the end":                                  {&toolcall.Env{Root: "/srv/app/"}, "rm -rf /srv/app/", ".", effect.ProjectDelete},
		"a Windows project":                                   {&toolcall.Env{Root: `C:\work\app`, Home: `C:\Users\ann`}, "rm 'C:/work/app/a.txt'", "a.txt", ""},
		"a Windows project as a whole":                        {&toolcall.Env{Root: `C:\work\app`}, `rm -rf 'C:\work\app'`, ".", effect.ProjectDelete},
		"a Windows home directory":                            {&toolcall.Env{Root: `C:\work\app`, Home: `C:\Users\ann`}, `rm 'C:\Users\ann\x'`, "~/x", effect.OutsideDelete},
		"the root is the project: a file":                     {&toolcall.Env{Root: "/"}, "rm /srv/x/a.txt", "/srv/x/a.txt", effect.OutsideDelete},
		"the root is the project: everything":                 {&toolcall.Env{Root: "/"}, "rm -rf /", "/", effect.SystemDelete},
		"the root is the home directory":                      {&toolcall.Env{Root: "/srv/app", Home: "/"}, "rm -rf /etc", "/etc", effect.SystemDelete},
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
	env := &toolcall.Env{Root: "/srv/app", Home: "/home/ann", Resolve: func(path string) string {
		return strings.Replace(path, "/srv/app/link", "/etc", 1)
	}}
	for command, want := range map[string]struct {
		path  string
		event effect.Event
	}{
		"rm link/passwd":            {"/etc/passwd", effect.SystemDelete},
		"tee link/passwd":           {"/etc/passwd", effect.SystemChange},
		"cat link/shadow":           {"/etc/shadow", effect.SecretAccess},
		"cd link && rm passwd":      {"/etc/passwd", effect.SystemDelete},
		"rm src/a.txt":              {"src/a.txt", ""},
		"rm -rf link/$name":         {"link/$name", effect.DestructiveOp},
		"cp a.txt link/cron.d/x.sh": {"/etc/cron.d/x.sh", effect.StartupChange},
	} {
		e := lastEffect(t, env, command)
		if e.Path != want.path || want.event != "" && !e.Has(want.event) || want.event == "" && len(e.Events) > 0 {
			t.Errorf("%s: %q %v, want %+v", command, e.Path, e.Events, want)
		}
	}
}

func TestPlaceIsThePathThatPatternsSee(t *testing.T) {
	for command, want := range map[string]pattern.Path{
		"rm -rf src":   {Name: "src", Tree: true},
		"rm src/a.txt": {Name: "src/a.txt"},
		"rm src/*.txt": {Name: "src/*.txt", Tree: true, Glob: true},
	} {
		if e := lastEffect(t, &toolcall.Env{Root: "/srv/app"}, command); e.Place() != want {
			t.Errorf("%s: %+v, want %+v", command, e.Place(), want)
		}
	}
}

func TestAnExampleFileThatIsALinkToSecretsIsSecret(t *testing.T) {
	env := &toolcall.Env{Root: "/srv/app", Home: "/home/ann", Resolve: func(path string) string {
		return strings.Replace(path, "/srv/app/.env.example", "/srv/app/.env", 1)
	}}
	for command, secret := range map[string]bool{
		"cat .env.example": true,
		`python3 -c "from dotenv import dotenv_values; print(dotenv_values('.env.example'))"`:  true,
		`node -e "console.log(require('dotenv').config({path:'.env.example'}).parsed)"`:        true,
		`ruby -rdotenv -e 'p Dotenv.parse(".env.example")'`:                                    true,
		`python3 -c "from dotenv import dotenv_values; print(dotenv_values('.env.template'))"`: false,
		`node -e "console.log(require('dotenv').config({path:'config/.env.example'}).parsed)"`: false,
	} {
		read := false
		for _, e := range toolcall.AnalyzeCommand(env, command).Effects {
			read = read || e.Has(effect.SecretAccess)
		}
		if read != secret {
			t.Errorf("%s: reads secrets is %v, want %v", command, read, secret)
		}
	}
}
