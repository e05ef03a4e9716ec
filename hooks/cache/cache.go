// Package cache is the document in which the guidelines of a session wait for its tool calls.
//
// It is one JSON object, written by whoever answers the question which guidelines hold (Encode) and read by every tool
// call (Open, then Cache.Relevant). A call reads the head and the index and, of the guidelines, only those that may have a
// say in what it would do: with a thousand guidelines in force that is what keeps a call fast.
//
//	line 1   {"format":…,"events":…,"timestamp":…,"ttl_seconds":…,"head":…,"size":…,"sum":…     all of fixed width
//	line 2   "context":{…},"source":…,"strict":…,"exceptions":[…]
//	then     "index":[…]           one short line a guideline: what a call must do for the guideline to matter
//	then     "guidelines":[…]      one canonical guideline a line
//	last     "tool_restrictions":[…]
package cache

import (
	"time"

	"guardrails/guideline"
)

// Body is what a session's tool calls are judged by.
type Body struct {
	// Context is the task as it was resolved; its paths and event stay open.
	Context guideline.Context
	// Guidelines are those that hold or may hold.
	Guidelines []guideline.Guideline
	Exceptions []Exception
	// Strict makes what cannot be checked a refusal and not a question.
	Strict bool
	// TTL is for how many seconds the answer holds.
	TTL int
	// Source says where the guidelines come from: files, store, server, snapshot, static, or Open.
	Source string
	// Reason says why the source is not the usual one; empty when it is.
	Reason string
}

// Open is the source of a session that goes on unguarded because its user chose so.
const Open = "open"

// Exception lets calls pass that a guideline would stop, for a reason and a time.
type Exception struct {
	Guideline string
	// Tools are tool patterns; without any the exception is for every call.
	Tools   []string
	Reason  string
	Expires time.Time
}

// Limits of a document that is read.
const (
	// MaxTTL is the longest time that a document may claim for itself, in seconds.
	MaxTTL = 3600
	// MaxSize bounds the document.
	MaxSize = 64 << 20
)
