package service

import (
	"errors"

	"guardrails/guideline/document"
	"guardrails/secret"
)

// readToken reads the secret that a server wants. The error names the file and never what is in it.
func readToken(env func(string) string, name string) (string, error) {
	path, err := secret.Path(env, name)
	if err != nil {
		return "", errors.New("cannot be asked: its token_file is " + name + ", and " + err.Error())
	}
	token, err := secret.Read(path)
	if err != nil {
		return "", errors.New("cannot be asked: its token_file " + document.Printable(path) + " " + err.Error())
	}
	return token, nil
}
