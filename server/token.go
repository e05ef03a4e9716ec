package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"strings"

	"guardrails/hooks/session"
)

const (
	tokenName = "token"
	tokenSize = 32
	maxToken  = 4096
)

// Token is what callers have to know. It lies in a file of the state folder that nobody else may read, and is made when
// it is missing. The path is where it lies.
func Token(state *session.Dir) (token, path string, err error) {
	path = state.Path(tokenName)
	text, err := state.Read(tokenName, maxToken)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeToken(state); err != nil {
			return "", path, err
		}
		// Another server may have made one in the same moment, and the last one counts.
		text, err = state.Read(tokenName, maxToken)
	}
	if err != nil {
		return "", path, err
	}
	token = strings.TrimSpace(string(text))
	if len(token) < tokenSize || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", path, errors.New(path + " does not hold a token of at least 32 signs; remove it, and a new one is made")
	}
	return token, path, nil
}

func makeToken(state *session.Dir) error {
	random := make([]byte, tokenSize)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	return state.Write(tokenName, []byte(base64.RawURLEncoding.EncodeToString(random)+"\n"))
}
