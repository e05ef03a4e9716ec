package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// engineHandler returns the handler of a container engine such as docker, or nil. The handler shortens the command line
// before it looks the call up in the table.
func engineHandler(name string) trace.Handler {
	switch name {
	case "docker", "podman", "nerdctl", "buildah":
		return engine
	case "docker-compose", "podman-compose":
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return compose(t, c, c.Args(), false) }
	}
	return nil
}

// engine removes the flags before the subcommand and the optional word "container" or "image", as in "docker image rm".
// Then it looks the call up in the table.
func engine(t *trace.Trace, c *trace.Command) trace.Flow {
	o, rest := flags.ParseLeading(c.Args(), "H host c context l log-level config tlscacert tlscert tlskey url connection")
	remote := isRemote(c.Scope, &o)
	if len(rest) > 1 && words.OneOf(rest[0].Text, "container", "image") && rest[1].Text != "prune" {
		rest = rest[1:]
	}
	switch verb := trace.ArgAt(rest, 0); {
	case verb == "compose":
		return compose(t, c, rest[1:], remote)
	case verb == "context" && len(rest) > 2 && rest[1].Text == "use":
		c.Scope.Set("DOCKER_CONTEXT", trace.Variable{Values: rest[2:3]}) // for the later calls of the command
	case remote && verb == words.Among(verb, engineGroups):
		markRemote(t, c, trace.ArgAt(rest, 1))
	case remote:
		markRemote(t, c, verb)
	}
	return shortened(t, c, c.Name, rest)
}

// compose analyzes docker compose. The parameter remote says that the engine is on another machine.
func compose(t *trace.Trace, c *trace.Command, args []trace.Value, remote bool) trace.Flow {
	o, rest := flags.ParseLeading(args, "f file p project-name profile env-file project-directory ansi parallel progress H host "+
		"c context")
	verb := trace.ArgAt(rest, 0)
	if remote || isRemote(c.Scope, &o) {
		markRemote(t, c, verb)
	}
	switch verb {
	case "down", "rm":
		if isTestProject(c.Scope, &o) {
			return trace.Nothing()
		}
	case "up", "run", "create", "start", "build", "watch":
		if t.Content != nil {
			runComposeFiles(t, c, composeFiles(c.Scope, &o))
		}
	}
	return shortened(t, c, "docker-compose", rest)
}

// runComposeFiles adds an opaque effect for each compose file that the call has downloaded. Such a file can start any
// container with any right.
func runComposeFiles(t *trace.Trace, c *trace.Command, files []trace.Value) {
	if len(files) == 0 {
		files = flags.SplitWords("compose.yaml compose.yml docker-compose.yaml docker-compose.yml", trace.Value{})
	}
	for _, v := range files {
		t.RunForeign(c, t.Content[t.Place(v, c.Scope).Name])
	}
}

// composeFiles returns the compose files that a call names.
func composeFiles(sc *trace.Scope, o *flags.Options) []trace.Value {
	if files := o.Values("f file"); len(files) > 0 {
		return files
	}
	return flags.SplitWords(strings.ReplaceAll(sc.Vars.Get("COMPOSE_FILE").Scalar().Text, ":", " "), trace.Value{})
}

// isTestProject reports whether the name of a compose project, of all its files or of its profile says that it is for
// tests. Every project has its own containers and volumes.
func isTestProject(sc *trace.Scope, o *flags.Options) bool {
	name := trace.FirstText(o.Values("p project-name"))
	if name = words.OrElse(name, sc.Vars.Get("COMPOSE_PROJECT_NAME").Scalar().Text); name != "" {
		return database.IsTestName(name)
	}
	all, prod := true, false
	files := composeFiles(sc, o)
	for i := range files {
		file := files[i].Text
		if trace.IsAbsolute(file) || strings.HasPrefix(file, "$") {
			file = trace.BaseName(file)
		}
		all, prod = all && namesTests(file), prod || strings.Contains(file, "prod")
	}
	profile := words.OrElse(trace.FirstText(o.Values("profile")), sc.Vars.Get("COMPOSE_PROFILES").Scalar().Text)
	return len(files) > 0 && all || !prod && namesTests(profile)
}

// namesTests reports whether a name has a word for tests. A name such as docker-compose.e2e.yml has one.
func namesTests(name string) bool {
	return database.IsTestName(strings.ReplaceAll(name, "e2e", "-test-")) || database.HasWord(name, "ci integration")
}

// shortened looks a call up in the table with other arguments. The first of these arguments is the subcommand.
func shortened(t *trace.Trace, c *trace.Command, name string, args []trace.Value) trace.Flow {
	if len(args) == 0 || len(args) > 1 && words.OneOf(args[1].Text, "--help", "-h") {
		return trace.Nothing()
	}
	inner := *c
	inner.Name, inner.Argv = name, append([]trace.Value{{Text: name}}, args...)
	return table.Handler(name)(t, &inner)
}

// The rows of the table name the functions below. The first argument that such a function gets is the
// subcommand.

func engineRun(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return runContainer(t, c, c.Args()[1:])
}

func engineExec(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return execContainer(t, c, c.Args()[1:], "e env env-file w workdir u user detach-keys")
}

func composeExec(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return execContainer(t, c, c.Args()[1:], "e env w workdir u user index")
}

func engineUnshare(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return t.RunInner(c, c.Args()[1:])
}

// engineSave analyzes subcommands such as "docker save", which write an image or the files of a container to a file.
func engineSave(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	o := flags.Parse(c.Args()[1:], "o output")
	t.WriteAll(c, o.Values("o output"))
	return trace.Flow{Taint: trace.FromProgram}
}

// removeContainers marks the removal of all containers. Removing a named container is harmless.
func removeContainers(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	for _, v := range c.Args()[1:] {
		if v.Partial && listsContainers(t, c) || v.Text == "--all" {
			t.Mark(c, "removes every container or image", effect.DestructiveOp)
			break
		}
	}
	return trace.Nothing()
}

// removeVolumes marks the removal of volumes, unless their names say that they hold a cache, packages or data of tests.
func removeVolumes(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Operands[2:] {
		if v.Partial || !database.IsTestName(v.Text) && !trace.IsRegenerable(v.Text) {
			t.Mark(c, "deletes data of containers: "+c.Name+" "+o.Order(), effect.DestructiveOp)
			break
		}
	}
	return trace.Nothing()
}

// listsContainers reports whether one of the three effects before this command lists all containers or images.
func listsContainers(t *trace.Trace, c *trace.Command) bool {
	for i := c.Run - 1; i >= 0 && i >= c.Run-3; i-- {
		text := t.Effects[i].Command
		for _, list := range [...]string{
			"docker ps -", "podman ps -", "docker container ls -",
			"docker images -", "docker image ls -",
		} {
			if strings.HasPrefix(text, list) && !strings.Contains(text, "filter") && !strings.Contains(text, " -f ") {
				return true
			}
		}
	}
	return false
}

func copyContainer(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if len(o.Operands) < 3 {
		return trace.Nothing()
	}
	source, dest := o.Operands[1], o.Operands[2]
	if _, inside, remote := network.RemotePart(source.Text); remote && dest.Text != "-" {
		t.Write(network.CopyTarget(dest, inside), c.Scope, c.Span)
	} else if !remote && source.Text != "-" {
		t.Read(source, c.Scope, c.Span)
		if _, inside, remote = network.RemotePart(dest.Text); remote {
			t.NoteCopyInside(source, network.CopyTarget(trace.Value{Text: inside}, source.Text).Text, c.Scope)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func execContainer(t *trace.Trace, c *trace.Command, args []trace.Value, withValue string) trace.Flow {
	o, rest := flags.ParseLeading(args, withValue)
	if o.Has("privileged") {
		t.Mark(c, "runs with all rights on the host (--privileged)", effect.ContainerEscape)
	}
	if len(rest) < 2 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	started := startedHere(t, rest[0].Text)
	first := len(t.Effects)
	out := t.Enter(c, &trace.Container{Lasting: !started, Secrets: !started, Variables: o.Values("e env")},
		trace.FirstText(o.Values("w workdir")), rest[1:])
	for i := first; started && i < len(t.Effects); i++ {
		t.Effects[i].Drop(func(event effect.Event) bool { return event == effect.DestructiveOp })
	}
	return out
}

// startedHere reports whether the same call has started the container with this name. Deleting the content of such a
// container loses nothing.
func startedHere(t *trace.Trace, name string) bool {
	for i := max(0, len(t.Effects)-64); i < len(t.Effects); i++ {
		if strings.Contains(t.Effects[i].Command, " run ") && strings.Contains(t.Effects[i].Command, "--name "+name+" ") {
			return true
		}
	}
	return false
}
