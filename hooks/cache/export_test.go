package cache

import "guardrails/internal/private"

// SignHead signs the head of a document that a test has changed.
func SignHead(doc []byte, key private.Key) []byte {
	copy(doc[sumAt:], signature(doc[:number(doc[headAt:headAt+9])], key))
	return doc
}
