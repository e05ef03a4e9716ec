package cloud

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
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

// engine() removes the flags before the subcommand and the optional word "container" or "image", as in "docker image
// rm". Then it looks the call up in the table.
func engine(t *trace.Trace, c *trace.Command) trace.Flow {
	o, rest := flags.ParseLeading(c.Args(), "H host c context l log-level config tlscacert tlscert tlskey url connection")
	remote := isRemote(c.Scope, &o)
	if len(rest) > 1 && words.OneOf(rest[0].Text, "container image") && rest[1].Text != "prune" {
		rest = rest[1:]
	}
	switch verb := trace.ArgAt(rest, 0); {
	case verb == "compose":
		return compose(t, c, rest[1:], remote)
	case verb == "context" && len(rest) > 2 && rest[1].Text == "use":
		c.Scope.Set("DOCKER_CONTEXT", trace.Variable{Values: rest[2:3]}) // for the later commands of the same call
	case remote && verb == words.Among(verb, engineGroups):
		markRemote(t, c, trace.ArgAt(rest, 1))
	case remote:
		markRemote(t, c, verb)
	}
	return shortened(t, c, c.Name, rest)
}

// compose() analyzes "docker compose". The parameter "remote" is set if the engine is on another machine.
func compose(t *trace.Trace, c *trace.Command, args []trace.Value, remote bool) trace.Flow {
	o, rest := flags.ParseLeading(args, "f file p project-name profile env-file project-directory ansi parallel progress H host "+
		"c context workdir insecure-registry")
	verb := trace.ArgAt(rest, 0)
	if remote || isRemote(c.Scope, &o) {
		markRemote(t, c, verb)
	}
	switch verb {
	case "down", "rm":
		if isTestProject(c.Scope, &o) || o.HasWhole("dry-run") && o.LastText("dry-run") == "" {
			return trace.Nothing()
		}
	case "config", "convert":
		if all := flags.Parse(rest, ""); !all.Has("q quiet services images volumes profiles networks hash help h o output") &&
			resolvesSecrets(t, c, composeFiles(c.Scope, &o)) {
			return program.Judge(t, c, program.Reveals, "docker compose "+verb)
		}
	case words.Among(verb, "up run create start build watch"):
		t.RunsHere(c, "./compose.yaml")
		if t.Content != nil {
			runComposeFiles(t, c, composeFiles(c.Scope, &o))
		}
	}
	return shortened(t, c, "docker-compose", rest)
}

// runComposeFiles adds an opaque effect for each compose file that the call has downloaded. Such a file can start any
// container with any right.
func runComposeFiles(t *trace.Trace, c *trace.Command, files []trace.Value) {
	for _, v := range orDefault(files) {
		t.RunForeign(c, t.Content[t.Place(v, c.Scope).Name])
	}
}

// orDefault returns the compose files that a call names. If the call names no such file, orDefault returns the files
// for which the engine looks by default.
func orDefault(files []trace.Value) []trace.Value {
	if len(files) > 0 {
		return files
	}
	return flags.SplitWords("compose.yaml compose.yml docker-compose.yaml docker-compose.yml", trace.Value{})
}

// resolvesSecrets reports whether compose files name a file with variables, or use a variable whose name suggests a
// secret. For such files, "docker compose config" prints the values of the variables.
func resolvesSecrets(t *trace.Trace, c *trace.Command, files []trace.Value) bool {
	for _, v := range orDefault(files) {
		p := t.Place(v, c.Scope)
		text := t.OnDisk(trace.Flow{Taint: trace.FromFile, File: trace.PathOfFlow(p.Name)}, trace.MaxOnDisk).Text
		if strings.Contains(text, "env_file:") {
			return true
		}
		for _, part := range strings.Split(text, "${") {
			if name, _, ok := strings.Cut(part, "}"); ok && trace.IsSecretVariable(name) {
				return true
			}
		}
	}
	return false
}

// composeFiles returns the compose files that a call names.
func composeFiles(sc *trace.Scope, o *flags.Options) []trace.Value {
	if files := o.Values("f file"); len(files) > 0 {
		return files
	}
	return flags.SplitWords(strings.ReplaceAll(sc.Exported("COMPOSE_FILE").Text, ":", " "), trace.Value{})
}

// isTestProject reports whether a compose project is for tests. It judges by the name of the project, of its profile,
// or of all its files. Every project has its own containers and volumes. A number such as $$ in the name shows that the
// project is new.
func isTestProject(sc *trace.Scope, o *flags.Options) bool {
	name := words.OrElse(trace.FirstText(o.Values("p project-name")), sc.Exported("COMPOSE_PROJECT_NAME").Text)
	if name != "" {
		return namesTestProject(name) || strings.Contains(name, "$") && trace.IsNumbered(name)
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
	profile := words.OrElse(trace.FirstText(o.Values("profile")), sc.Exported("COMPOSE_PROFILES").Text)
	return len(files) > 0 && all || !prod && namesTests(profile)
}

// namesTestProject reports whether the name of a project has a word for tests, as shop_e2e has.
func namesTestProject(name string) bool {
	return database.NamesTestData(strings.ReplaceAll(name, "e2e", "-test-"))
}

// namesTests reports whether a name has a word for tests, as docker-compose.e2e.yml has.
func namesTests(name string) bool {
	return namesTestProject(name) || database.HasWord(name, "ci integration")
}

// shortened() analyzes a shorter call in place of the original call: the named program with the given arguments. The
// first argument is the subcommand.
func shortened(t *trace.Trace, c *trace.Command, name string, args []trace.Value) trace.Flow {
	if len(args) == 0 || len(args) > 1 && words.OneOf(args[1].Text, "--help -h") {
		return trace.Nothing()
	}
	inner := *c
	inner.Name, inner.Argv = name, append([]trace.Value{{Text: name}}, args...)
	return table.Handler(name)(t, &inner)
}

// The rows of the table refer to the functions below. In the command that such a function receives, the first argument
// is the subcommand.

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

// createVolume records the volume that a call makes. With an option for the driver, the volume may hold a folder of
// this machine or of another machine.
func createVolume(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if last := o.Operands[len(o.Operands)-1]; len(o.Operands) > 2 && !o.Has("o opt d driver") && (!last.Partial || trace.IsNumbered(last.Text)) {
		t.NoteMade(volume(t, c, last), !last.Partial, c.Scope) // a name with a number such as $$ is new
	}
	return trace.Nothing()
}

// volume() returns the name under which a volume is recorded. The name contains the options that choose the engine.
func volume(t *trace.Trace, c *trace.Command, v trace.Value) string {
	engine, _, _ := strings.Cut(t.Effects[c.Run].Command, " volume ")
	engine, _, _ = strings.Cut(engine, " run ")
	return "volume " + engine + " " + c.Scope.Exported("DOCKER_HOST").Text + " " + v.Text
}

// removeVolumes marks the removal of volumes. Two kinds of volumes do not count: a volume that the same call has made,
// and a volume whose name says that it holds a cache, packages or test data.
func removeVolumes(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Operands[2:] {
		_, made := t.MadeHere(volume(t, c, v), c.Scope)
		if v.Partial && !trace.IsNumbered(v.Text) || !made && !database.NamesTestData(v.Text) && !trace.IsRegenerable(v.Text) {
			t.Mark(c, "deletes data of containers: "+c.Name+" "+o.Order(), effect.DestructiveOp)
			break
		}
	}
	return trace.Nothing()
}

// listsContainers reports whether one of the three effects just before this command lists all containers or images.
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
		copyOut(t, c, inside, dest)
	} else if !remote && source.Text != "-" {
		t.Read(source, c.Scope, c.Span)
		if _, inside, remote = network.RemotePart(dest.Text); remote {
			t.NoteCopyInside(source, network.CopyTarget(trace.Value{Text: inside}, source.Text).Text, c.Scope)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// copyOut adds the effect of copying a file out of a container. The copy of a secret file counts as secret too.
func copyOut(t *trace.Trace, c *trace.Command, inside string, dest trace.Value) {
	folder := strings.TrimSuffix(inside, "/.")
	if trace.IsSecret(folder+"/x") && !trace.IsSecret(strings.TrimSuffix(folder, "/"+trace.BaseName(folder))) {
		t.Mark(c, "copies secrets out of a container", effect.SecretAccess)
	}
	name := t.Write(network.CopyTarget(dest, inside), c.Scope, c.Span)
	if name != "" && trace.IsSecret(inside) {
		t.Remember(name, trace.Flow{Taint: trace.FromSecret})
	}
}

// renameContainer records what is known about a container under the new name of the container. If nothing is known, the
// container may be older than the call, and nothing is known about the new name either.
func renameContainer(t *trace.Trace, _ *trace.Command, o *flags.Options) trace.Flow {
	from, to := o.Word(1), o.Word(2)
	if box, ok := t.Containers[from]; ok {
		t.Containers[to] = box
		delete(t.Containers, from)
	} else {
		delete(t.Containers, to)
	}
	return trace.Nothing()
}

func execContainer(t *trace.Trace, c *trace.Command, args []trace.Value, withValue string) trace.Flow {
	o, rest := flags.ParseLeading(args, withValue)
	if o.Has("privileged") {
		t.Mark(c, "runs with all rights on the host (--privileged)", effect.ContainerEscape)
	}
	if len(rest) < 2 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	box := trace.Container{Lasting: true, Secrets: true}
	started, isNew := t.Containers[rest[0].Text]
	if isNew {
		box = *started
	}
	box.Variables = append(slices.Clip(box.Variables), o.Values("e env")...)
	first := len(t.Effects)
	out := t.Enter(c, &box, trace.FirstText(o.Values("w workdir")), rest[1:])
	if isNew && !box.Lasting && !box.Secrets && !namesForeignHost(t, append(box.Variables, rest...)) {
		for i := first; i < len(t.Effects); i++ {
			if t.Effects[i].Kind == effect.Run {
				t.Effects[i].Drop(effect.DestructiveOp)
			}
		}
	}
	return out
}

// namesForeignHost reports whether the arguments may name a service outside of the container. A command that deletes
// data inside a new container loses nothing important. A command that deletes the data of such a service can lose
// something important.
func namesForeignHost(t *trace.Trace, args []trace.Value) bool {
	before := ""
	for i := range args {
		for _, word := range strings.Fields(args[i].Text) {
			name, value, isAssignment := strings.Cut(strings.TrimLeft(word, "-"), "=")
			switch {
			case strings.Contains(word, "://"):
				value = trace.HostOf(word)
			case isAssignment && (strings.HasSuffix(strings.ToLower(name), "host") || strings.HasSuffix(name, "_URL")):
			case words.OneOf(before, "-h --host -H --hostname -s --server"):
				value = word
			case len(word) > 2 && strings.HasPrefix(word, "-h"):
				value = word[len("-h"):]
			default:
				value = ""
			}
			before = word
			if value != "" && (args[i].Partial || !trace.IsLoopback(value) && t.Containers[value] == nil) {
				return true
			}
		}
	}
	return false
}

// pushImage analyzes a subcommand that copies an image to the registry in the last operand. A push to a registry on
// this machine publishes nothing.
func pushImage(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	host := trace.HostOf(o.Word(len(o.Operands) - 1))
	if trace.IsLoopback(host) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Judge(t, c, program.Publishes, c.Name+" "+o.Order())
}
