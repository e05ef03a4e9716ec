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
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return compose(t, c, c.Args()) }
	}
	return nil
}

// engine removes the flags before the subcommand and the optional word "container" or "image", as in "docker image rm".
// Then it looks the call up in the table.
func engine(t *trace.Trace, c *trace.Command) trace.Flow {
	rest := flags.SkipLeading(c.Args(), "H host c context l log-level config tlscacert tlscert tlskey url connection")
	if len(rest) > 1 && words.OneOf(rest[0].Text, "container", "image") && rest[1].Text != "prune" {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0].Text == "compose" {
		return compose(t, c, rest[1:])
	}
	return shortened(t, c, c.Name, rest)
}

func compose(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o, rest := flags.ParseLeading(args, "f file p project-name profile env-file project-directory ansi parallel progress")
	if len(rest) > 0 && words.OneOf(rest[0].Text, "down", "rm") && isTestProject(c.Scope, &o) {
		return trace.Nothing()
	}
	return shortened(t, c, "docker-compose", rest)
}

// isTestProject reports whether the name of a compose project says that it is for tests. Every project has its own
// containers and volumes.
func isTestProject(sc *trace.Scope, o *flags.Options) bool {
	name := trace.FirstText(o.Values("p project-name"))
	return database.IsTestName(words.OrElse(name, sc.Vars.Get("COMPOSE_PROJECT_NAME").Scalar().Text))
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
