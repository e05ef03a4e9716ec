package code

// reach.go evaluates functions that affect something outside the program: the network, other processes and the user.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// performReach performs the actions that affect the network, other processes or the user who runs the program.
func (s *system) performReach(act library.Action, args value) value {
	switch act.Kind {
	case library.FetchURL:
		return s.fetchAddress(urlOf(args), args)
	case library.FetchTo:
		content := s.fetchAddress(argument(args, act.Arg), args)
		s.savePath(argument(args, act.Arg+1), content)
		return content
	case library.DeleteURL:
		s.markDelete(urlOf(args))
		return s.sendData(urlOf(args), args)
	case library.SendURL:
		return s.sendData(urlOf(args), args)
	case library.ConnectTo:
		s.noteLocalSocket(args)
		s.connect()
		return &data{kind: socketObject, taint: trace.FromSocket, text: "$socket"}
	case library.ListenOn:
		s.seen.waits = true
		return &data{kind: socketObject, taint: trace.FromSocket, text: "$socket"}
	case library.DuplicateHandle:
		if s.seen.connected {
			s.trace.Mark(s.command, "connects its input and output to the network", effect.ReverseShell)
		}
	case library.KillProcess:
		s.killProcesses(argument(args, act.Arg))
	case library.ForkProcess:
		s.seen.forks = true
		if path := argument(args, 0); path.known && s.language == trace.Script {
			s.runScript(path) // child_process.fork("./x.js")
		}
	case library.WaitProcess:
		s.seen.waits = true
	case library.SetUser:
		if n, ok := argument(args, act.Arg).integer(); ok && n == 0 {
			s.trace.Mark(s.command, "becomes root", effect.PrivilegeGain)
		}
	}
	return &data{}
}

// killProcesses marks the program if it sends a signal to process 1 or to every process.
func (s *system) killProcesses(pid value) {
	if n, ok := pid.integer(); ok && n == 1 {
		s.trace.Mark(s.command, "kills every process, or the first one", effect.SystemControl)
	}
}

// urlOf returns the address among a call's arguments.
func urlOf(args value) value {
	for _, arg := range args.items {
		if IsURL(arg.text) {
			return arg
		}
		for _, p := range arg.pairs {
			if p.key == "url" || p.key == "hostname" || p.key == "host" || p.key == "uri" {
				return p.value
			}
		}
	}
	if v, ok := args.entry("url", "uri", "hostname", "host"); ok {
		return v
	}
	return &data{}
}

// IsURL reports whether a text is a URL. The streams of PHP, such as php://stdin, are not URLs.
func IsURL(s string) bool {
	i := strings.Index(s, "://")
	return i > 1 && i < 8 && !strings.HasPrefix(s, "php")
}

// fetchAddress evaluates a network request. The request sends data if it has a body, a secret, or a method other
// than GET and HEAD.
func (s *system) fetchAddress(url, args value) value {
	if path, ok := strings.CutPrefix(url.text, "file://"); ok {
		return s.readPaths(partOf(url, path))
	}
	for _, item := range args.items {
		if m, ok := item.entry("method"); ok && m.text != "GET" && m.text != "HEAD" || isDelete(item) {
			if isDelete(m) || isDelete(item) {
				s.markDelete(url)
			}
			return s.sendData(url, args)
		}
	}
	if m, ok := args.entry("method"); ok && m.text != "GET" && m.text != "HEAD" {
		if isDelete(m) {
			s.markDelete(url)
		}
		return s.sendData(url, args)
	}
	taint := deepTaint(args, 0) | url.taint
	if taint.Has(trace.FromSecret|trace.FromEnviron) || len(args.pairs) > 0 && hasBody(args) {
		return s.sendData(url, args)
	}
	s.seen.downloads = true
	program.Download(s.trace, s.command, trace.HostOf(url.text))
	return &data{text: "$download", taint: trace.FromNetwork}
}

// isDelete reports whether a value is the HTTP method DELETE.
func isDelete(v value) bool {
	return v != nil && len(v.text) > 5 && strings.EqualFold(v.text[:6], "DELETE")
}

// markDelete marks a request with the HTTP method DELETE.
func (s *system) markDelete(url value) {
	r := network.Request{Method: "DELETE", URL: url.text}
	r.Mark(s.trace, s.command)
}

func hasBody(args value) bool {
	_, ok := args.entry("data", "json", "files", "body")
	return ok
}

// sendData evaluates a network request that sends its arguments.
func (s *system) sendData(url, args value) value {
	self.MarkServerRequest(s.trace, s.command, "", url.text, "", true)
	program.Upload(s.trace, s.command, trace.HostOf(url.text), deepTaint(args, 0)|url.taint)
	return &data{text: "$download", taint: trace.FromNetwork}
}

// deepTaint returns the taint of a value and of everything inside it.
func deepTaint(v value, depth int) trace.Taint {
	taint := v.itemTaint()
	if depth > 4 {
		return taint
	}
	for _, item := range v.items {
		taint |= deepTaint(item, depth+1)
	}
	for _, p := range v.pairs {
		taint |= deepTaint(p.value, depth+1)
	}
	return taint
}

// noteLocalSocket checks the address on which the code listens or to which it connects. An address that is a path is a
// local socket.
func (s *system) noteLocalSocket(args value) {
	for _, v := range args.flatten() {
		if strings.Contains(v.Text, "/") && !IsURL(v.Text) {
			self.MarkLocalSocket(s.trace, s.command, v)
		}
	}
}
