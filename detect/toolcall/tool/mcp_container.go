package tool

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// foreignContainer analyzes a call that starts a container, such as create_container. It treats the arguments like the
// options of "docker run", because these options decide what the container may do on this machine.
func foreignContainer(t *trace.Trace, f *foreignCall) {
	o := f.order
	if o.looks() || !o.has("docker podman nerdctl container containers") || !o.has("run create start launch") {
		return
	}
	options := containerOptions(nil, f.args, 0)
	if len(options) == 0 {
		return
	}
	argv := append([]trace.Value{{Text: "docker"}, {Text: "run"}}, options...)
	span := effect.Span{Text: trace.Shorten(f.name)}
	t.Dispatch(append(argv, trace.Value{Text: "image"}), span, f.sc, trace.Streams{In: trace.Nothing()})
}

// containerOptions adds the options for the arguments in a list. It also adds the options for arguments in nested
// objects, such as HostConfig.Binds.
func containerOptions(options []trace.Value, list []document.Member, depth int) []trace.Value {
	add := func(texts ...string) {
		for _, text := range texts {
			options = append(options, trace.Value{Text: text})
		}
	}
	for _, m := range list {
		name := plainName(m.Name)
		option := containerOption(name)
		text, isText := document.Text(m.Raw)
		inner, err := document.Members(m.Raw)
		switch {
		case name == "privileged" && string(m.Raw) == "true":
			add("--privileged")
		case option == "-v" && err == nil:
			for _, volume := range inner {
				add(option, mountOf(volume))
			}
		case option != "" && isText:
			add(option, text)
		case option != "" && err == nil:
			for _, item := range inner {
				if text, ok := document.Text(item.Raw); ok {
					add(option, text)
				}
			}
		case err == nil && isObject(m.Raw) && depth < maxArgumentDepth:
			options = containerOptions(options, inner, depth+1)
		}
	}
	return options
}

// containerOption returns the option of "docker run" for an argument with this plain name, or "".
func containerOption(name string) string {
	switch name {
	case words.Among(name, "volumes volume binds mounts bindmounts volumemounts"):
		return "-v"
	case "capadd", "capabilities":
		return "--cap-add"
	case "pid", "pidmode":
		return "--pid"
	case "devices", "device":
		return "--device"
	case "securityopt":
		return "--security-opt"
	}
	return ""
}

// mountOf returns the volume that an item of a list or of an object describes, in the form SOURCE:TARGET.
func mountOf(m document.Member) string {
	text, isText := document.Text(m.Raw)
	if isText && m.Name == "" {
		return text
	}
	source, target := m.Name, words.OrElse(text, "/x")
	fields, _ := document.Members(m.Raw)
	for _, field := range fields {
		value, _ := document.Text(field.Raw)
		switch name := plainName(field.Name); name {
		case words.Among(name, "source src host hostpath from"):
			source = value
		case words.Among(name, "target destination dst container containerpath to bind"):
			target = value
		}
	}
	return source + ":" + target
}
