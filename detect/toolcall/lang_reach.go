package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// doReach does what leaves the program: to the network, to other processes, to the user that it runs as.
func (w *coder) doReach(d deed, args datum) datum {
	switch d.kind {
	case fetchURL:
		return w.fetch(urlOf(args), args)
	case fetchTo:
		content := w.fetch(argument(args, d.at), args)
		w.save(argument(args, d.at+1), content)
		return content
	case sendURL:
		return w.send(urlOf(args), args)
	case connectTo:
		w.meetsAt(args)
		w.connect()
		return datum{class: socket, taint: fromSocket, text: "$socket"}
	case listenOn:
		w.seen.waits = true
		return datum{class: socket, taint: fromSocket, text: "$socket"}
	case duplicate:
		if w.seen.connected {
			w.a.mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
	case killProcess:
		w.kill(argument(args, d.at))
	case forkProcess:
		w.seen.forks = true
	case waitProcess:
		w.seen.waits = true
	case becomeUser:
		if n, ok := argument(args, d.at).integer(); ok && n == 0 {
			w.a.mark(w.c, "becomes root", effect.PrivilegeGain)
		}
	}
	return datum{}
}

// kill judges by the process: everything, or the first one.
func (w *coder) kill(pid datum) {
	if n, ok := pid.integer(); ok && n == 1 {
		w.a.mark(w.c, "kills every process, or the first one", effect.SystemControl)
	}
}

// urlOf is the address among a call's arguments.
func urlOf(args datum) datum {
	for _, d := range args.items {
		if isURL(d.text) {
			return d
		}
		for _, p := range d.pairs {
			if p.key == "url" || p.key == "hostname" || p.key == "host" || p.key == "uri" {
				return p.value
			}
		}
	}
	if v, ok := args.named("url", "uri", "hostname", "host"); ok {
		return v
	}
	return datum{}
}

func isURL(s string) bool {
	i := strings.Index(s, "://")
	return i > 1 && i < 8 && !strings.HasPrefix(s, "php")
}

// fetch gets something from the network; what stands in the address or the headers is sent.
func (w *coder) fetch(url, args datum) datum {
	if path, ok := strings.CutPrefix(url.text, "file://"); ok {
		return w.readAll(rest(url, path))
	}
	for _, item := range args.items {
		if m, ok := item.named("method"); ok && m.text != "GET" && m.text != "HEAD" {
			return w.send(url, args)
		}
	}
	if m, ok := args.named("method"); ok && m.text != "GET" && m.text != "HEAD" {
		return w.send(url, args)
	}
	if t := deepTaint(args, 0) | url.taint; t.has(fromSecret|fromEnviron) || len(args.pairs) > 0 && hasData(args) {
		return w.send(url, args)
	}
	w.seen.downloads = true
	w.a.download(w.c, hostOf(url.text))
	return datum{text: "$download", taint: fromNetwork}
}

func hasData(args datum) bool {
	_, ok := args.named("data", "json", "files", "body")
	return ok
}

// send sends its arguments to the network.
func (w *coder) send(url, args datum) datum {
	w.a.ownServer(w.c, "", url.text, "", true)
	w.a.upload(w.c, hostOf(url.text), deepTaint(args, 0)|url.taint)
	return datum{text: "$download", taint: fromNetwork}
}

// deepTaint is where anything in nested data comes from.
func deepTaint(d datum, depth int) taint {
	t := d.tainted()
	if depth > 4 {
		return t
	}
	for _, item := range d.items {
		t |= deepTaint(item, depth+1)
	}
	for _, p := range d.pairs {
		t |= deepTaint(p.value, depth+1)
	}
	return t
}
