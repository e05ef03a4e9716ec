package cache

import "guardrails/internal/private"

// SignHead signs the head of a document again after a test has changed it.
func SignHead(doc []byte, key private.Key) []byte {
	text, key := signedPart(doc[:number(doc[headAt:headAt+9])], key)
	copy(doc[sumAt:], key.Sum(text))
	return doc
}
