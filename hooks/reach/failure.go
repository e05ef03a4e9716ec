package reach

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The stages at which a request can fail.
const (
	// StageAsk: the request is not valid, so it is not sent.
	StageAsk = "ask"
	// StageAbsent: there is no socket, usually because no server was started.
	StageAbsent = "absent"
	// StageSocket: the file at the socket's path is not a socket that can be trusted.
	StageSocket = "socket"
	// StageConnect: no process listens on the socket, usually because the server was killed.
	StageConnect = "connect"
	// StageSend: the server does not accept the connection or the request.
	StageSend = "send"
	// StageReceive: the answer is missing, too slow, or incomplete.
	StageReceive = "receive"
	// StageHTTP: the answer is not the expected HTTP answer.
	StageHTTP = "http"
	// StageAnswer: the message is not an answer, or reports an error.
	StageAnswer = "answer"
	// StageStart: the guardrails program cannot be started.
	StageStart = "start"
	// StageRun: the guardrails program fails or takes too long.
	StageRun = "run"
)

// Failure is the reason why the server or the guardrails program gave no answer.
type Failure struct {
	// Stage is one of the stages above.
	Stage string
	// The field "Why" is a message for the user.
	Why string
}

func (f *Failure) Error() string { return f.Why }

// Absent reports whether an error only means that no server runs.
func Absent(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && (f.Stage == StageAbsent || f.Stage == StageConnect)
}

// Unanswered means that neither the server nor the guardrails program answered.
type Unanswered struct {
	Server, CLI error
}

func (u *Unanswered) Error() string {
	return "server: " + u.Server.Error() + "; guardrails program: " + u.CLI.Error()
}

// Unwrap returns the error of the server and the error of the guardrails program.
func (u *Unanswered) Unwrap() []error { return []error{u.Server, u.CLI} }

// maxQuote is the largest number of bytes that an error message quotes from the output of another process.
const maxQuote = 400

// plain() converts the output of another process to one short line of printable characters.
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

func quoted(text []byte) string { return strconv.Quote(plain(text)) }

func unprintable(r rune) bool {
	return r <= ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == utf8.RuneError || r == 0x2028 || r == 0x2029 ||
		(r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069)
}
