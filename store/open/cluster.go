package open

import (
	"context"
	"errors"
	"io"
	"os"

	"guardrails/config"
	"guardrails/internal/secret"
	"guardrails/store"
	"guardrails/store/elastic"
)

// openCluster connects to Elasticsearch or OpenSearch. Files with secrets are read each time, so that a new password needs
// no new process.
func openCluster(ctx context.Context, c *config.Store, o *Options) (store.Store, error) {
	with := elastic.Options{Addresses: c.Addresses, Username: c.Username, Prefix: c.IndexPrefix, Now: o.Now, Timeout: c.Timeout}
	var err error
	if with.Password, err = o.secret(c, "password_file", c.PasswordFile); err != nil {
		return nil, err
	}
	if with.APIKey, err = o.secret(c, "api_key_file", c.APIKeyFile); err != nil {
		return nil, err
	}
	if with.CA, err = o.authorities(c); err != nil {
		return nil, err
	}
	return elastic.Open(ctx, with)
}

// secret reads what a file of the settings holds; nothing where none is named.
func (o *Options) secret(c *config.Store, key, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := secret.Path(o.Env, name)
	if err == nil {
		name = path
		var text string
		if err = secret.ForOthers(o.Env, path); err == nil {
			text, err = secret.Read(path)
		}
		if err == nil {
			return text, nil
		}
	}
	return "", store.Errorf(store.Unavailable, "the store %s cannot be asked: its %s %s %w", c, key, name, err)
}

// maxAuthorities is how large a file of certificates may be.
const maxAuthorities = 1 << 20

// authorities reads the certificates by which nodes are known.
func (o *Options) authorities(c *config.Store) ([]byte, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	path, err := secret.Path(o.Env, c.CAFile)
	if err == nil {
		var text []byte
		if text, err = bounded(path); err == nil {
			return text, nil
		}
	}
	return nil, store.Errorf(store.Unavailable, "the store %s cannot be asked: its ca_file cannot be read: %w; check the path and its permissions", c, err)
}

func bounded(path string) (text []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxAuthorities {
		return nil, errors.New("it is no file of certificates")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxAuthorities))
}
