package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Tokens stores the tokens that people made. Each token has its own file, so two people can change tokens at the same
// time.
type Tokens struct {
	dir *private.Dir
	now func() time.Time
}

// OpenTokens opens the tokens in a state folder. It is not an error if the folder contains no tokens.
func OpenTokens(state string, now func() time.Time) (*Tokens, error) {
	dir, err := private.Open(filepath.Join(state, product.TokensFolder))
	if err != nil {
		return nil, err
	}
	return &Tokens{dir, now}, nil
}

// maxTokenName is the largest length of a token's name, and maxTokenFile is the largest size of its file.
const (
	maxTokenName = 64
	maxTokenFile = 4096
)

// ValidName reports whether a text can be the name of a token.
func ValidName(name string) bool {
	return name != "" && len(name) <= maxTokenName &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// Create makes a token with the given name, tenant, role and expiry time. It returns the secret, which is not stored.
func (t *Tokens) Create(token Token) (secret string, err error) {
	token.Created = t.now().UTC().Truncate(time.Second)
	switch {
	case !ValidName(token.Name):
		return "", fmt.Errorf("%.80q cannot be the name of a token; use up to %d letters, digits, hyphens and underscores",
			token.Name, maxTokenName)
	case token.Role < Read || token.Role > Admin:
		return "", errors.New("a token needs a role; use " + strings.Join(RoleNames(), ", "))
	case token.Expired(token.Created):
		return "", errors.New("the token would already have expired; give a later time")
	}
	secret = newSecret()
	token.hash = sha256.Sum256([]byte(secret))
	text, err := token.encode()
	if err != nil {
		return "", err
	}
	err = t.dir.Create(fileOf(token.Tenant, token.Name), text)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("the token %s already exists; revoke it first, or choose another name", token.Name)
	}
	return secret, err
}

// List returns the tokens of a tenant, sorted by name.
func (t *Tokens) List(tenant string) ([]Token, error) {
	return t.read(tenantPrefix(tenant))
}

// Revoke deletes a token. The token becomes invalid immediately.
func (t *Tokens) Revoke(tenant, name string) error {
	if !ValidName(name) {
		return fmt.Errorf("%.80q cannot be the name of a token", name)
	}
	was, err := t.dir.Remove(fileOf(tenant, name))
	if err == nil && !was {
		err = fmt.Errorf("there is no token %s; to see the names of the tokens, run: guardrails token list", name)
	}
	return err
}

// fileOf returns the file of a token. The file name contains the tenant, because different tenants can use the same
// name.
func fileOf(tenant, name string) string { return tenantPrefix(tenant) + name + tokenSuffix }

const tokenSuffix = ".json"

func tenantPrefix(tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return hex.EncodeToString(sum[:8]) + "."
}

// read() reads the tokens whose file names begin with a prefix. Damaged tokens are in the list, but nobody can use
// them.
func (t *Tokens) read(prefix string) ([]Token, error) {
	files, err := t.dir.List(prefix)
	if err != nil {
		return nil, err
	}
	var out []Token
	for _, file := range files {
		name, ours := strings.CutSuffix(file, tokenSuffix)
		if _, after, found := strings.Cut(name, "."); ours && found {
			out = append(out, t.readOne(file, after))
		}
	}
	slices.SortFunc(out, func(a, b Token) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// readOne reads the file of one token. The token is damaged if its name does not match the name of the file.
func (t *Tokens) readOne(file, name string) Token {
	text, err := t.dir.Read(file, maxTokenFile)
	if err != nil {
		return Token{Name: name, Damage: err.Error()}
	}
	token, err := decodeToken(text)
	if err == nil && fileOf(token.Tenant, token.Name) != file {
		err = errDamaged
	}
	if err != nil {
		return Token{Name: name, Damage: t.dir.Path(file) + " " + err.Error()}
	}
	return token
}

// stamp() returns a time that changes when a token is made or revoked.
func (t *Tokens) stamp() (time.Time, error) {
	info, err := os.Lstat(t.dir.Path("."))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
