// Package modelclients keeps a client for each model that is named in the settings of a project. All processes of a
// user together may make only a limited number of calls per hour.
//
// Start with Clients.Of.
package modelclients

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/secretfile"
	"guardrails/model"
	"guardrails/service/fallback"
)

// Clients has a client for each model that is named in the settings of a project. The zero value is ready to use.
type Clients struct {
	lock    sync.Mutex
	clients map[clientKey]*model.Client
}

// Caller describes the service that needs a client. A new client gets the functions in Caller.
type Caller struct {
	Env func(string) string
	Now func() time.Time
	// The function Mask hides secrets in the texts that the model gets.
	Mask  func(string) string
	Meter model.Meter
}

// clientKey has everything that a client depends on.
type clientKey struct {
	settings config.Model
	// The field "home" contains the folder with the key's file, and the state folder. The field "secret" is the key
	// from an environment variable.
	home, secret string
}

// mostModels is the maximum number of clients. When one more client is needed, all clients are dropped. Dropping
// clients is rare, because settings rarely change.
const mostModels = 16

// Of is a method that returns the client for the model in the settings.
func (m *Clients) Of(by *Caller, c *config.Model) *model.Client {
	state, _ := private.StateDir(by.Env) // without the state folder, no model is called
	key := clientKey{settings: *c, home: by.Env(product.VariableHome) + "\x00" + state}
	if c.KeyEnv != "" {
		key.secret = by.Env(c.KeyEnv)
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if found := m.clients[key]; found != nil {
		return found
	}
	if len(m.clients) >= mostModels {
		m.drop()
	}
	if m.clients == nil {
		m.clients = map[clientKey]*model.Client{}
	}
	m.clients[key] = by.newClient(c, key.secret)
	return m.clients[key]
}

func (by *Caller) newClient(c *config.Model, fromVariable string) *model.Client {
	settings := *c
	return model.New(model.Options{
		URL: c.URL, Name: c.Name, Timeout: time.Duration(c.Timeout) * time.Millisecond,
		Key:  func() (string, error) { return Key(&settings, by.Env, fromVariable) },
		Take: func() error { return by.takeCall(settings.MaxCalls) },
		Mask: by.Mask, Now: by.Now, Meter: by.Meter,
	})
}

// Key returns the key for a model. A model on this computer does not always need a key. The error does not contain the
// key.
func Key(c *config.Model, env func(string) string, fromVariable string) (string, error) {
	switch {
	case c.KeyEnv != "" && fromVariable == "":
		return "", errors.New("the variable " + c.KeyEnv + " is not set")
	case c.KeyFile == "":
		return fromVariable, nil
	}
	path, err := secretfile.Path(env, c.KeyFile)
	if err == nil {
		err = secretfile.ForOthers(env, path)
	}
	var key string
	if err == nil {
		key, err = secretfile.Read(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s %w", c.KeyFile, err)
	}
	return key, nil
}

// drop() closes and forgets all clients. The caller must hold the lock.
func (m *Clients) drop() {
	for _, client := range m.clients {
		client.Close()
	}
	m.clients = nil
}

// Close closes all clients.
func (m *Clients) Close() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.drop()
}

// callsPrefix is the beginning of the name of a file that counts the calls of an hour.
const callsPrefix = "calls-"

// takeCall counts one more call to a model. It returns an error if the processes of this user together have made too
// many calls in this hour.
func (by *Caller) takeCall(most int) error {
	dir, _, err := (&fallback.Keeper{Env: by.Env, Now: by.Now}).Dir(product.ModelFolder)
	if err != nil {
		return err
	}
	const line = ". "
	name := callsPrefix + by.Now().UTC().Format("2006010215")
	calls := 0
	f, info, err := dir.OpenFile(name)
	switch {
	case err == nil:
		calls = int(info.Size()) / (len(line) + 2) // Append writes a line end before and after each line
		_ = f.Close()                              // only the size was read
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		old, err := dir.List(callsPrefix)
		if err != nil {
			return err
		}
		for _, name := range old {
			_, _ = dir.Remove(name) // an old file does not matter
		}
	}
	if calls >= most {
		return errors.New("there were " + strconv.Itoa(most) + " calls in this hour (model.max_calls_per_hour)")
	}
	return dir.Append(name, []byte(line))
}
