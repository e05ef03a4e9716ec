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

// Tokens are the tokens that people made, each in a file of its own, so that two who change something at once do not undo
// each other's work.
type Tokens struct {
	dir *private.Dir
	now func() time.Time
}

// OpenTokens opens the tokens in a state folder, which may not have any yet.
func OpenTokens(state string, now func() time.Time) (*Tokens, error) {
	dir, err := private.Open(filepath.Join(state, product.TokensFolder))
	if err != nil {
		return nil, err
	}
	return &Tokens{dir, now}, nil
}

// maxTokenName bounds a token's name, maxTokenFile its file.
const (
	maxTokenName = 64
	maxTokenFile = 4096
)

func validName(name string) bool {
	return name != "" && len(name) <= maxTokenName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// Create makes a token of a name, tenant, role and end, and gives what its owner has to know: it cannot be read again.
func (t *Tokens) Create(token Token) (secret string, err error) {
	token.Created = t.now().UTC().Truncate(time.Second)
	switch {
	case !validName(token.Name):
		return "", fmt.Errorf("%.80q is no name for a token; use up to %d letters, digits, hyphens and underscores", token.Name, maxTokenName)
	case token.Role < Read || token.Role > Admin:
		return "", errors.New("a token needs a role; use " + strings.Join(RoleNames(), ", "))
	case token.Expired(token.Created):
		return "", errors.New("the token would have ended already; give a later end")
	}
	secret = newSecret()
	token.hash = sha256.Sum256([]byte(secret))
	text, err := token.encode()
	if err != nil {
		return "", err
	}
	err = t.dir.Create(fileOf(token.Tenant, token.Name), text)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("there is a token %s already; revoke it first, or choose another name", token.Name)
	}
	return secret, err
}

// List gives the tokens of a tenant by name.
func (t *Tokens) List(tenant string) ([]Token, error) {
	return t.read(tenantPrefix(tenant))
}

// Revoke ends a token at once.
func (t *Tokens) Revoke(tenant, name string) error {
	if !validName(name) {
		return fmt.Errorf("%.80q is no name of a token", name)
	}
	was, err := t.dir.Remove(fileOf(tenant, name))
	if err == nil && !was {
		err = fmt.Errorf("there is no token %s; list them to see their names", name)
	}
	return err
}

// fileOf is the file of a token. What belongs to one tenant says nothing of another one's names.
func fileOf(tenant, name string) string { return tenantPrefix(tenant) + name + tokenSuffix }

const tokenSuffix = ".json"

func tenantPrefix(tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return hex.EncodeToString(sum[:8]) + "."
}

// read reads the tokens whose files begin with a prefix. One that is damaged is in the list, but admits nobody.
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

// readOne reads one file, which must be of the token whose name it has.
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

// stamp tells whether a token was made or revoked.
func (t *Tokens) stamp() (time.Time, error) {
	info, err := os.Lstat(t.dir.Path("."))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
