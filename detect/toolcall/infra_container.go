package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// containerHandler knows the engines that run containers.
func containerHandler(name string) handler {
	switch name {
	case "docker", "podman", "nerdctl", "buildah":
		return docker
	case "docker-compose", "podman-compose":
		return func(a *analyzer, c *command) flow { return a.compose(c, c.args()) }
	case "skopeo", "crane", "oras", "cosign":
		return marksWith("publishes an image", effect.Publish, "copy", "push", "cp", "sync")
	}
	return nil
}

func docker(a *analyzer, c *command) flow {
	_, rest := leadingOptions(c.args(), "H host c context l log-level config tlscacert tlscert tlskey url connection")
	if len(rest) == 0 {
		return nothing()
	}
	verb, args := rest[0].text, rest[1:]
	if oneOf(verb, "container", "image") && len(args) > 0 && args[0].text != "prune" {
		verb, args = args[0].text, args[1:]
	}
	if firstOf(args[:min(1, len(args))], "--help", "-h") != "" {
		return nothing()
	}
	switch verb {
	case "compose":
		return a.compose(c, args)
	case "run", "create":
		return a.dockerRun(c, args)
	case "exec":
		return a.dockerExec(c, args, "e env env-file w workdir u user detach-keys")
	case "cp":
		return a.dockerCopy(c, args)
	case "unshare":
		return a.again(c, args)
	case "push":
		return a.judge(c, issues, "an image")
	case "rm", "rmi", "kill":
		return a.dockerRemove(c, args)
	case "save", "export":
		o := parseOptions(args, "o output")
		for _, v := range o.values("o output") {
			a.write(v, c.sc, c.span)
		}
		return flow{taint: fromProgram}
	}
	return a.dockerObject(c, verb, args)
}

// dockerObject is docker's orders about a kind of object: docker volume rm.
func (a *analyzer) dockerObject(c *command, kind string, args []value) flow {
	o := parseOptions(args, "filter")
	verb := o.word(0)
	order := kind + " " + verb
	switch {
	case order == "system prune", order == "volume prune", order == "volume rm", order == "volume remove", order == "system reset", order == "machine rm",
		order == "image prune" && o.has("a all"):
		a.mark(c, "deletes data of containers ("+order+")", effect.DestructiveOp)
	case order == "stack rm", order == "stack down", order == "service rm", order == "secret rm", order == "config rm", order == "node rm", order == "swarm leave" && o.has("f force"):
		return a.judge(c, destroys, order)
	case order == "stack deploy", order == "service create", order == "service update", order == "service scale", order == "service rollback":
		return a.judge(c, releases, order)
	case order == "manifest push", kind == "buildx" && o.has("push"), kind == "build" && o.has("push"), order == "imagetools create":
		return a.judge(c, issues, "an image")
	}
	return flow{taint: fromProgram}
}

// dockerRemove is harmless for a container that is named; it is not for all there are.
func (a *analyzer) dockerRemove(c *command, args []value) flow {
	for _, v := range args {
		if v.partial && a.listsContainers(c) || v.text == "--all" {
			a.mark(c, "removes every container or image", effect.DestructiveOp)
			break
		}
	}
	return nothing()
}

// listsContainers reports whether a command right before this one lists all containers or images.
func (a *analyzer) listsContainers(c *command) bool {
	for i := c.run - 1; i >= 0 && i >= c.run-3; i-- {
		text := a.effects[i].Command
		for _, list := range [...]string{"docker ps -", "podman ps -", "docker container ls -", "docker images -", "docker image ls -"} {
			if strings.HasPrefix(text, list) && !strings.Contains(text, "filter") && !strings.Contains(text, " -f ") {
				return true
			}
		}
	}
	return false
}

func (a *analyzer) dockerCopy(c *command, args []value) flow {
	o := parseOptions(args, "")
	if len(o.operands) < 2 {
		return nothing()
	}
	source, dest := o.operands[0], o.operands[1]
	if _, inside, remote := remotePart(source.text); remote && dest.text != "-" {
		a.write(into(dest, inside), c.sc, c.span)
	} else if !remote && source.text != "-" {
		a.read(source, c.sc, c.span)
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) compose(c *command, args []value) flow {
	_, rest := leadingOptions(args, "f file p project-name profile env-file project-directory ansi parallel progress")
	if len(rest) == 0 {
		return nothing()
	}
	switch args = rest[1:]; rest[0].text {
	case "down":
		o := parseOptions(args, "t timeout rmi")
		if o.has("v volumes") {
			a.mark(c, "deletes the volumes of the containers", effect.DestructiveOp)
		}
	case "exec":
		return a.dockerExec(c, args, "e env w workdir u user index")
	case "run":
		return a.dockerRun(c, args)
	case "push":
		return a.judge(c, issues, "images")
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) dockerExec(c *command, args []value, withValue string) flow {
	o, rest := leadingOptions(args, withValue)
	if o.has("privileged") {
		a.mark(c, "runs with all rights on the host (--privileged)", effect.ContainerEscape)
	}
	if len(rest) < 2 {
		return flow{taint: fromProgram}
	}
	return a.enter(c, &box{lasting: true}, firstText(o.values("w workdir")), rest[1:])
}
