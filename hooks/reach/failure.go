package reach

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The stages at which asking can fail.
const (
	// StageAsk: the question itself cannot be sent.
	StageAsk = "ask"
	// StageAbsent: there is no socket, which is what it looks like when no server was started.
	StageAbsent = "absent"
	// StageSocket: what lies at the socket's path is not a socket that may be trusted.
	StageSocket = "socket"
	// StageConnect: nobody listens on the socket, which is what a server leaves behind that was killed.
	StageConnect = "connect"
	// StageSend: the server does not take the connection or the question.
	StageSend = "send"
	// StageReceive: the answer does not come, is too slow, or ends early.
	StageReceive = "receive"
	// StageHTTP: what comes is not the HTTP answer that was asked for.
	StageHTTP = "http"
	// StageAnswer: the message is not an answer, or says that something is wrong.
	StageAnswer = "answer"
	// StageStart: the command line cannot be started.
	StageStart = "start"
	// StageRun: the command line fails or does not end in time.
	StageRun = "run"
)

// Failure is why one of the two ways gave no answer.
type Failure struct {
	// Stage is how far it came.
	Stage string
	// Why says what happened, in words for people.
	Why string
}

func (f *Failure) Error() string { return f.Why }

// Absent reports whether an error only says that no server was started: there is no socket, or one that nobody listens
// on any more.
func Absent(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && (f.Stage == StageAbsent || f.Stage == StageConnect)
}

// Unanswered is the error of a question that neither the server nor the command line answered.
type Unanswered struct {
	Server, CLI error
}

func (u *Unanswered) Error() string {
	return "server: " + u.Server.Error() + "; command line: " + u.CLI.Error()
}

// Unwrap gives the reasons to errors.Is and errors.As.
func (u *Unanswered) Unwrap() []error { return []error{u.Server, u.CLI} }

// maxQuote is how much of a foreign text is shown in a message.
const maxQuote = 400

// plain makes a foreign text fit for a message: one line of printable characters, shortened.
func plain(text []byte) string {
	cut := len(text) > maxQuote
	if cut {
		text = text[:maxQuote]
	}
	words := strings.Join(strings.FieldsFunc(string(text), unprintable), " ")
	if cut {
		words += " …"
	}
	return words
}

// quoted is a foreign text in quotes, fit for a message.
func quoted(text []byte) string { return strconv.Quote(plain(text)) }

func unprintable(r rune) bool {
	return r <= ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == utf8.RuneError || r == 0x2028 || r == 0x2029 ||
		(r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069)
}
