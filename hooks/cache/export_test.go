package cache

import "guardrails/internal/private"

// SignHead signs the head of a document again after a test has changed it.
func SignHead(doc []byte, key private.Key) []byte {
	copy(doc[sumAt:], signature(doc[:number(doc[headAt:headAt+9])], key))
	return doc
}
