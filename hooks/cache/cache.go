// Package cache reads and writes the document that keeps a session's guidelines for its tool calls.
//
// The document is one JSON object. The process that knows the guidelines writes the document with Encode. The hook that
// asked for the guidelines signs the document with Seal. For every tool call, a hook uses Read and Cache.Relevant. The
// two functions read the head, the index, and only those guidelines that may decide about the call. So the hook is fast
// even with a thousand guidelines.
//
//	line 1   {"format":…,"events":…,"timestamp":…,"ttl_seconds":…,"head":…,"size":…,"sum":…     all of fixed width
//	line 2   "layers":[{"from":…,"context":{…},"exceptions":[…]},…],"source":…,"reason":…,"strict":…
//	then     "index":[…]           one or more short lines per guideline: which calls it concerns
//	then     "guidelines":[…]      one canonical guideline per line
//	last     "tool_restrictions":[…],"needs_trust":…
package cache

import (
	"time"

	"guardrails/guideline"
)

// Body is the content of the document: everything that is needed to judge the tool calls of a session.
type Body struct {
	// Layers are the layers of guidelines, the highest first. The last one is the project's.
	Layers []Layer
	// Strict is set if a call that cannot be checked is denied. If Strict is not set, a person is asked.
	Strict bool
	// NoCalls is set if records must not contain the texts of calls, which are needed to judge a call again later.
	NoCalls bool
	// TTL is the time for which the document is valid, in seconds.
	TTL int
	// Source says where the guidelines come from. It is files, store, server, snapshot, static, or Open.
	Source string
	// Reason says why the source is not the usual source. It is "" for the usual source.
	Reason string
	// Page is a text that ends with an incomplete web address. If a call is denied, the hook appends Page and the id of
	// the denial to the reason. The id completes the address of a page about the denial. Page is "" if no page can be
	// reached.
	Page string
	// NeedsTrust is the number of project settings that are ignored until a person trusts the project. Only the status
	// line reads NeedsTrust.
	NeedsTrust int
	// Safety and OutputGuard are the modes of the safety gate and of the output guard, or "" if they are off. Only the
	// status line reads these fields.
	Safety, OutputGuard string
}

// Layer holds the guidelines of one layer.
type Layer struct {
	// Context is the task with the layer's own settings, without paths and event.
	Context guideline.Context
	// Guidelines lists the guidelines of the layer that apply to the task or may apply to it.
	Guidelines []guideline.Guideline
	// Exceptions lists the exceptions for guidelines of this layer.
	Exceptions []Exception
	// TestCommands are the commands that count as tests for the guidelines of this layer.
	TestCommands []string
}

// Open is the value of Body.Source if the project's guidelines do not apply because they cannot be read. Body.Source is
// Open only if fallback_mode is fail_open, or if the session's user chose to continue without guidelines.
const Open = "open"

// Exception allows calls that a guideline would stop. It has a reason and an expiry date.
type Exception struct {
	Guideline string
	// Tools are tool patterns. If there are none, the exception covers every call.
	Tools   []string
	Reason  string
	Expires time.Time
}

const (
	// MaxTTL is the largest TTL of a document, in seconds.
	MaxTTL = 3600
	// MaxSize is the largest size of a document, in bytes.
	MaxSize = 64 << 20
)
