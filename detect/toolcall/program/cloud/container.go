package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// containerHandler returns the handlers of container engines.
func containerHandler(name string) trace.Handler {
	switch name {
	case "docker", "podman", "nerdctl", "buildah":
		return docker
	case "docker-compose", "podman-compose":
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return compose(t, c, c.Args()) }
	case "skopeo", "crane", "oras", "cosign":
		return program.MarksWith("publishes an image", effect.Publish, "copy", "push", "cp", "sync")
	}
	return nil
}

func docker(t *trace.Trace, c *trace.Command) trace.Flow {
	_, rest := flags.ParseLeading(c.Args(), "H host c context l log-level config tlscacert tlscert tlskey url connection")
	if len(rest) == 0 {
		return trace.Nothing()
	}
	verb, args := rest[0].Text, rest[1:]
	if words.OneOf(verb, "container", "image") && len(args) > 0 && args[0].Text != "prune" {
		verb, args = args[0].Text, args[1:]
	}
	if flags.FirstOf(args[:min(1, len(args))], "--help", "-h") != "" {
		return trace.Nothing()
	}
	switch verb {
	case "compose":
		return compose(t, c, args)
	case "run", "create":
		return dockerRun(t, c, args)
	case "exec":
		return dockerExec(t, c, args, "e env env-file w workdir u user detach-keys")
	case "cp":
		return dockerCopy(t, c, args)
	case "unshare":
		return t.Again(c, args)
	case "push":
		return program.Judge(t, c, program.Publishes, "an image")
	case "rm", "rmi", "kill":
		return dockerRemove(t, c, args)
	case "save", "export":
		o := flags.Parse(args, "o output")
		for _, v := range o.Values("o output") {
			t.Write(v, c.Scope, c.Span)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
	return dockerObject(t, c, verb, args)
}

// dockerObject analyses an order about a kind of object: docker volume rm.
func dockerObject(t *trace.Trace, c *trace.Command, kind string, args []trace.Value) trace.Flow {
	o := flags.Parse(args, "filter")
	verb := o.Word(0)
	order := kind + " " + verb
	switch {
	case order == "system prune", order == "volume prune", order == "volume rm", order == "volume remove", order == "system reset", order == "machine rm",
		order == "image prune" && o.Has("a all"):
		t.Mark(c, "deletes data of containers ("+order+")", effect.DestructiveOp)
	case order == "stack rm", order == "stack down", order == "service rm", order == "secret rm", order == "config rm", order == "node rm", order == "swarm leave" && o.Has("f force"):
		return program.Judge(t, c, program.Destroys, order)
	case order == "stack deploy", order == "service create", order == "service update", order == "service scale", order == "service rollback":
		return program.Judge(t, c, program.Releases, order)
	case order == "manifest push", kind == "buildx" && o.Has("push"), kind == "build" && o.Has("push"), order == "imagetools create":
		return program.Judge(t, c, program.Publishes, "an image")
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// dockerRemove is harmless for a named container, but not for all containers.
func dockerRemove(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	for _, v := range args {
		if v.Partial && listsContainers(t, c) || v.Text == "--all" {
			t.Mark(c, "removes every container or image", effect.DestructiveOp)
			break
		}
	}
	return trace.Nothing()
}

// listsContainers reports whether the command before this one lists all containers or images.
func listsContainers(t *trace.Trace, c *trace.Command) bool {
	for i := c.Run - 1; i >= 0 && i >= c.Run-3; i-- {
		text := t.Effects[i].Command
		for _, list := range [...]string{"docker ps -", "podman ps -", "docker container ls -", "docker images -", "docker image ls -"} {
			if strings.HasPrefix(text, list) && !strings.Contains(text, "filter") && !strings.Contains(text, " -f ") {
				return true
			}
		}
	}
	return false
}

func dockerCopy(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o := flags.Parse(args, "")
	if len(o.Operands) < 2 {
		return trace.Nothing()
	}
	source, dest := o.Operands[0], o.Operands[1]
	if _, inside, remote := network.RemotePart(source.Text); remote && dest.Text != "-" {
		t.Write(network.CopyTarget(dest, inside), c.Scope, c.Span)
	} else if !remote && source.Text != "-" {
		t.Read(source, c.Scope, c.Span)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func compose(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	_, rest := flags.ParseLeading(args, "f file p project-name profile env-file project-directory ansi parallel progress")
	if len(rest) == 0 {
		return trace.Nothing()
	}
	switch args = rest[1:]; rest[0].Text {
	case "down":
		o := flags.Parse(args, "t timeout rmi")
		if o.Has("v volumes") {
			t.Mark(c, "deletes the volumes of the containers", effect.DestructiveOp)
		}
	case "exec":
		return dockerExec(t, c, args, "e env w workdir u user index")
	case "run":
		return dockerRun(t, c, args)
	case "push":
		return program.Judge(t, c, program.Publishes, "images")
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func dockerExec(t *trace.Trace, c *trace.Command, args []trace.Value, withValue string) trace.Flow {
	o, rest := flags.ParseLeading(args, withValue)
	if o.Has("privileged") {
		t.Mark(c, "runs with all rights on the host (--privileged)", effect.ContainerEscape)
	}
	if len(rest) < 2 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return t.Enter(c, &trace.Container{Lasting: true}, trace.FirstText(o.Values("w workdir")), rest[1:])
}
