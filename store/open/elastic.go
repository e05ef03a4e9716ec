package open

import (
	"context"
	"errors"
	"io"
	"os"

	"guardrails/config"
	"guardrails/internal/secretfile"
	"guardrails/store"
	"guardrails/store/elastic"
)

// openElastic connects to Elasticsearch or OpenSearch. It reads passwords and keys from their files each time, so a
// process does not have to restart to use a new password.
func openElastic(ctx context.Context, c *config.Store, o *Options, create bool) (store.Store, error) {
	options := elastic.Options{
		Addresses: c.Addresses, Username: c.Username, Prefix: c.IndexPrefix, Now: o.Now, Timeout: c.Timeout,
		Existing: !create,
	}
	var err error
	if options.Password, err = o.readSecret(c, "password_file", c.PasswordFile); err != nil {
		return nil, err
	}
	if options.APIKey, err = o.readSecret(c, "api_key_file", c.APIKeyFile); err != nil {
		return nil, err
	}
	if options.CA, err = o.readCertificates(c); err != nil {
		return nil, err
	}
	return elastic.Open(ctx, options)
}

// readSecret returns the content of the file with the given name, or "" if the name is empty. The parameter "key" is
// the name of the setting, for error messages.
func (o *Options) readSecret(c *config.Store, key, name string) (text string, err error) {
	if name == "" {
		return "", nil
	}
	path, err := secretfile.Path(o.Env, name)
	if err == nil {
		name = path
		err = secretfile.ForOthers(o.Env, path)
	}
	if err == nil {
		text, err = secretfile.Read(path)
	}
	if err != nil {
		return "", store.Errorf(store.Unavailable, "cannot connect to the store %s: its %s %s %w", c, key, name, err)
	}
	return text, nil
}

// maxCertificates is the maximum size of a certificate file in bytes.
const maxCertificates = 1 << 20

// readCertificates reads the certificates of the authorities that signed the nodes' certificates. It returns nil if no
// ca_file is configured.
func (o *Options) readCertificates(c *config.Store) (text []byte, err error) {
	if c.CAFile == "" {
		return nil, nil
	}
	path, err := secretfile.Path(o.Env, c.CAFile)
	if err == nil {
		text, err = readBounded(path)
	}
	if err != nil {
		return nil, store.Errorf(store.Unavailable,
			"cannot connect to the store %s: cannot read its ca_file: %w; check the path and its permissions", c, err)
	}
	return text, nil
}

func readBounded(path string) (text []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxCertificates {
		return nil, errors.New("it is not a certificate file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxCertificates))
}
