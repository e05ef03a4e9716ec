package access

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"strings"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

const (
	firstSize = 32
	maxFirst  = 4096
)

// First is a function that returns the token of the user who runs the server, and the path of its file. The file is in
// the state folder, and nobody else may read it. If the token is missing, the function makes it.
func First(state *private.Dir) (token, path string, err error) {
	path = state.Path(product.TokenFile)
	text, err := state.Read(product.TokenFile, maxFirst)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeFirst(state); err != nil {
			return "", path, err
		}
		// If another server has made a first token in the meantime, the token of the other server is valid.
		text, err = state.Read(product.TokenFile, maxFirst)
	}
	if err != nil {
		return "", path, err
	}
	token = strings.TrimSpace(string(text))
	if len(token) < firstSize || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", path, errors.New(path +
			" does not contain a token of at least 32 characters; remove the file, and the server makes a new token")
	}
	return token, path, nil
}

func makeFirst(state *private.Dir) error {
	random := make([]byte, firstSize)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	return state.Write(product.TokenFile, []byte(base64.RawURLEncoding.EncodeToString(random)+"\n"))
}
