package code

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// reachAction does what leaves the program: to the network, to other processes, to the user that it runs as.
func reachAction(w *interpreter, d action, args known) known {
	switch d.kind {
	case fetchURL:
		return fetchAddress(w, urlOf(args), args)
	case fetchTo:
		content := fetchAddress(w, argument(args, d.at), args)
		savePath(w, argument(args, d.at+1), content)
		return content
	case sendURL:
		return sendData(w, urlOf(args), args)
	case connectTo:
		meetsAt(w, args)
		w.connect()
		return known{class: socket, taint: trace.FromSocket, text: "$socket"}
	case listenOn:
		w.seen.waits = true
		return known{class: socket, taint: trace.FromSocket, text: "$socket"}
	case duplicate:
		if w.seen.connected {
			w.trace.Mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
	case killProcess:
		killProcesses(w, argument(args, d.at))
	case forkProcess:
		w.seen.forks = true
	case waitProcess:
		w.seen.waits = true
	case becomeUser:
		if n, ok := argument(args, d.at).integer(); ok && n == 0 {
			w.trace.Mark(w.c, "becomes root", effect.PrivilegeGain)
		}
	}
	return known{}
}

// killProcesses judges by the process: everything, or the first one.
func killProcesses(w *interpreter, pid known) {
	if n, ok := pid.integer(); ok && n == 1 {
		w.trace.Mark(w.c, "kills every process, or the first one", effect.SystemControl)
	}
}

// urlOf is the address among a call's arguments.
func urlOf(args known) known {
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
	return known{}
}

func isURL(s string) bool {
	i := strings.Index(s, "://")
	return i > 1 && i < 8 && !strings.HasPrefix(s, "php")
}

// fetchAddress gets something from the network; what stands in the address or the headers is sent.
func fetchAddress(w *interpreter, url, args known) known {
	if path, ok := strings.CutPrefix(url.text, "file://"); ok {
		return readPaths(w, rest(url, path))
	}
	for _, item := range args.items {
		if m, ok := item.named("method"); ok && m.text != "GET" && m.text != "HEAD" {
			return sendData(w, url, args)
		}
	}
	if m, ok := args.named("method"); ok && m.text != "GET" && m.text != "HEAD" {
		return sendData(w, url, args)
	}
	if t := deepTaint(args, 0) | url.taint; t.Has(trace.FromSecret|trace.FromEnviron) || len(args.pairs) > 0 && hasData(args) {
		return sendData(w, url, args)
	}
	w.seen.downloads = true
	program.Download(w.trace, w.c, trace.HostOf(url.text))
	return known{text: "$download", taint: trace.FromNetwork}
}

func hasData(args known) bool {
	_, ok := args.named("data", "json", "files", "body")
	return ok
}

// sendData sends its arguments to the network.
func sendData(w *interpreter, url, args known) known {
	self.OwnServer(w.trace, w.c, "", url.text, "", true)
	program.Upload(w.trace, w.c, trace.HostOf(url.text), deepTaint(args, 0)|url.taint)
	return known{text: "$download", taint: trace.FromNetwork}
}

// deepTaint is where anything in nested data comes from.
func deepTaint(d known, depth int) trace.Taint {
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
