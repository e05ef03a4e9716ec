package system

// reach.go evaluates functions that affect something outside the program: the network, other processes and the user.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// PerformReach performs the actions that affect the network, other processes or the user who runs the program.
func (s *System) PerformReach(act library.Action, args value.Value) value.Value {
	switch act.Kind {
	case library.FetchURL:
		return s.FetchAddress(URLOf(args), args)
	case library.FetchTo:
		content := s.FetchAddress(value.Argument(args, act.Arg), args)
		s.SavePath(value.Argument(args, act.Arg+1), content)
		return content
	case library.DeleteURL:
		s.NoteRequest("DELETE", URLOf(args), args)
		return s.SendData(URLOf(args), args)
	case library.SendURL:
		s.NoteRequest("POST", URLOf(args), args)
		return s.SendData(URLOf(args), args)
	case library.ConnectTo:
		s.NoteLocalSocket(args)
		s.Connect()
		return &value.Data{Kind: value.SocketObject, Taint: trace.FromSocket, Text: "$socket"}
	case library.ListenOn:
		s.Seen.Waits = true
		return &value.Data{Kind: value.SocketObject, Taint: trace.FromSocket, Text: "$socket"}
	case library.DuplicateHandle:
		if s.Seen.Connected {
			s.Trace.Mark(s.Command, "connects its input and output to the network", effect.ReverseShell)
		}
	case library.KillProcess:
		s.killProcesses(value.Argument(args, act.Arg))
	case library.WaitProcess:
		s.Seen.Waits = true
	case library.SetUser:
		if n, ok := value.Argument(args, act.Arg).Integer(); ok && n == 0 {
			s.Trace.Mark(s.Command, "becomes root", effect.PrivilegeGain)
		}
	}
	return &value.Data{}
}

// killProcesses marks the program if it sends a signal to process 1 or to every process.
func (s *System) killProcesses(pid value.Value) {
	if n, ok := pid.Integer(); ok && n == 1 {
		s.Trace.Mark(s.Command, "kills every process, or the first one", effect.SystemControl)
	}
}

// URLOf returns the address among a call's arguments. In a web page, an address may begin with /api/.
func URLOf(args value.Value) value.Value {
	for _, arg := range args.Items {
		if trace.IsURL(arg.Text) || strings.HasPrefix(arg.Text, "/api/") {
			return arg
		}
		for _, p := range arg.Pairs {
			if p.Key == "url" || p.Key == "hostname" || p.Key == "host" || p.Key == "uri" {
				return p.Value
			}
		}
	}
	if v, ok := args.Entry("url uri hostname host"); ok {
		return v
	}
	return &value.Data{}
}

// FetchAddress evaluates a network request. The request sends data if it has a body, a secret, or a method other
// than GET and HEAD.
func (s *System) FetchAddress(url, args value.Value) value.Value {
	if path, ok := strings.CutPrefix(url.Text, "file://"); ok {
		return s.ReadPaths(value.PartOf(url, path))
	}
	if method := methodOf(args); !words.OneOf(method, "GET HEAD") && (method != "" || args.IsOn("method")) {
		s.NoteRequest(words.OrElse(method, "POST"), url, args)
		return s.SendData(url, args)
	}
	taint := value.DeepTaint(args, 0) | url.Taint
	body, method := len(args.Pairs) > 0 && HasBody(args), "GET"
	if body {
		method = "POST"
	}
	s.NoteRequest(method, url, args)
	if taint.Has(trace.FromSecret|trace.FromEnviron) || body {
		return s.SendData(url, args)
	}
	s.Seen.Downloads = true
	program.Download(s.Trace, s.Command, trace.HostOf(url.Text))
	return &value.Data{Text: requested, Taint: trace.FromNetwork}
}

// The constant "requested" is a text that stands for the answer to a request.
const requested = "$download"

// IsDelete reports whether a value is the HTTP method DELETE.
func IsDelete(v value.Value) bool {
	return v != nil && len(v.Text) > 5 && strings.EqualFold(v.Text[:6], "DELETE")
}

// HasBody reports whether the arguments of a request contain a body.
func HasBody(args value.Value) bool {
	_, ok := args.Entry("data json files body")
	return ok
}

// SendData evaluates a network request that sends its arguments.
func (s *System) SendData(url, args value.Value) value.Value {
	self.MarkServerRequest(s.Trace, s.Command, "", url.Text, "", true)
	program.Upload(s.Trace, s.Command, trace.HostOf(url.Text), value.DeepTaint(args, 0)|url.Taint)
	return &value.Data{Text: requested, Taint: trace.FromNetwork}
}

// NoteLocalSocket checks an address on which the code listens, or to which the code connects. If the address is a path,
// it is the address of a local socket.
func (s *System) NoteLocalSocket(args value.Value) {
	for _, v := range args.Flatten() {
		if strings.Contains(v.Text, "/") && !trace.IsURL(v.Text) {
			self.MarkLocalSocket(s.Trace, s.Command, v)
		}
	}
}
