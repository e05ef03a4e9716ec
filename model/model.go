// Package model asks a language model over the Messages API. It sends one question with one tool, and the arguments of
// the tool are the answer.
//
// Start with Client.Ask. client.go has the cache, the limits and the breaker, which decide whether a question is sent
// at all. exchange.go sends the question, and wire.go has the form of requests and answers. mask.go prepares the text
// that leaves the computer.
package model

import (
	"encoding/json"
	"errors"
	"time"
)

// Use is what a question is for.
type Use string

// The uses of questions.
const (
	// ForContext is the use of a question that asks what a prompt is about.
	ForContext Use = "context"
	// ForAudit is the use of a question that asks whether an answer is safe.
	ForAudit Use = "audit"
)

// Uses returns all uses.
func Uses() []Use { return []Use{ForContext, ForAudit} }

// Question is a question to the model.
type Question struct {
	Use Use
	// System says what the model must do. Task is the first part of the message. Text is the text that the model
	// judges. The client masks and shortens Text and puts it between markers, with a note that the text is data.
	System, Task, Text string
	// Tool is the tool whose arguments are the answer.
	Tool Tool
}

// Answer is what the model answered.
type Answer struct {
	// Input has the arguments of the tool, as a JSON object that matches the tool's fields.
	Input json.RawMessage
	// IsCached is set if the answer is from the cache.
	IsCached bool
}

// Outcome is how a question ended.
type Outcome string

// The outcomes of questions.
const (
	// OK means that there is an answer.
	OK Outcome = "ok"
	// Timeout means that no answer came in time.
	Timeout Outcome = "timeout"
	// Refused means that the service does not accept the question, for example because the key is wrong.
	Refused Outcome = "refused"
	// Unreadable means that the answer does not have the form that the question asked for.
	Unreadable Outcome = "unreadable"
	// Unavailable means that the service cannot be reached or has a problem, or that it had problems a moment ago.
	Unavailable Outcome = "unavailable"
	// Limited means that there are too many questions.
	Limited Outcome = "limited"
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{OK, Timeout, Refused, Unreadable, Unavailable, Limited} }

// Error says why there is no answer. Its text never has a part of the question, of the answer or of the key.
type Error struct {
	Outcome Outcome
	Text    string
}

// Error returns the text.
func (e *Error) Error() string {
	if e.Outcome == Unreadable {
		return "the model's answer cannot be used: " + e.Text
	}
	return "the model does not answer: " + e.Text
}

// OutcomeOf returns the outcome of a question. The parameter "err" is the error with which the question ended, or nil.
func OutcomeOf(err error) Outcome {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Outcome
	}
	return Timeout // the caller did not wait any longer
}

// Meter counts questions.
type Meter interface {
	// ModelAsked is called for each question that was not answered from the cache.
	ModelAsked(use, outcome string, took time.Duration)
	// ModelCached is called for each question. The parameter "hit" is set if the cache has the answer.
	ModelCached(use string, hit bool)
}
