package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/internal/product"
	"guardrails/internal/secret"
	"guardrails/model"
	"guardrails/service/outputguard"
)

// models has a client for each model that the settings of projects name. Services that share their stores also share
// these clients.
type models struct {
	lock    sync.Mutex
	clients map[modelKey]*model.Client
}

// modelKey is what a client depends on.
type modelKey struct {
	settings config.Model
	// home is where the key's file and the state folder are. secret is the key from a variable.
	home, secret string
}

// mostModels is the number of clients above which all are dropped. Settings rarely change.
const mostModels = 16

// modelOf returns the client for the model in the settings.
func (s *Service) modelOf(c *config.Model) *model.Client {
	key := modelKey{settings: *c, home: s.env(product.VariableHome) + "\x00" + stateFolder(s.env)}
	if c.KeyEnv != "" {
		key.secret = s.env(c.KeyEnv)
	}
	m := s.models
	m.lock.Lock()
	defer m.lock.Unlock()
	if found := m.clients[key]; found != nil {
		return found
	}
	if len(m.clients) >= mostModels {
		m.drop()
	}
	if m.clients == nil {
		m.clients = map[modelKey]*model.Client{}
	}
	m.clients[key] = s.newModel(c, key.secret)
	return m.clients[key]
}

func (s *Service) newModel(c *config.Model, fromVariable string) *model.Client {
	settings := *c
	return model.New(model.Options{
		URL: c.URL, Name: c.Name, Timeout: time.Duration(c.Timeout) * time.Millisecond,
		Key:  func() (string, error) { return ModelKey(&settings, s.env, fromVariable) },
		Take: func() error { return s.takeCall(settings.MaxCalls) },
		Mask: s.masked, Now: s.now, Meter: s.meter,
	})
}

// ModelKey returns the key for a model. A model on this computer may need none. The error does not contain the key.
func ModelKey(c *config.Model, env func(string) string, fromVariable string) (string, error) {
	switch {
	case c.KeyEnv != "" && fromVariable == "":
		return "", errors.New("the variable " + c.KeyEnv + " is not set")
	case c.KeyFile == "":
		return fromVariable, nil
	}
	path, err := secret.Path(env, c.KeyFile)
	if err == nil {
		err = secret.ForOthers(env, path)
	}
	var key string
	if err == nil {
		key, err = secret.Read(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s %w", c.KeyFile, err)
	}
	return key, nil
}

// drop closes and forgets all clients. The caller holds the lock.
func (m *models) drop() {
	for _, client := range m.clients {
		client.Close()
	}
	m.clients = nil
}

func (m *models) close() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.drop()
}

// callsPrefix is the beginning of the name of a file that counts the calls of an hour.
const callsPrefix = "calls-"

// takeCall adds one to the number of calls to models in this hour. The number includes the calls of all processes of
// this user. takeCall returns an error if there have been too many calls.
func (s *Service) takeCall(most int) error {
	dir, _, err := s.keeper().Dir(product.ModelFolder)
	if err != nil {
		return err
	}
	const line = ". "
	name := callsPrefix + s.now().UTC().Format("2006010215")
	calls := 0
	f, info, err := dir.OpenFile(name)
	switch {
	case err == nil:
		calls = int(info.Size()) / (len(line) + 2) // Append writes a line end before and after each line
		_ = f.Close()                              // it was only opened for its size
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

// guard returns the output guard of a project.
func (s *Service) guard(c *config.Config) *outputguard.Guard {
	g := &outputguard.Guard{Settings: &c.OutputGuard}
	if c.Model.AsksAboutAnswers() {
		g.Asker = s.modelOf(&c.Model)
	}
	return g
}

// Meter counts what the service does with models and answers.
type Meter interface {
	model.Meter
	// OutputAudited is called for each answer to a message with a risk. unsafe is set if the answer is unsafe, or could
	// not be checked and must not pass.
	OutputAudited(risk, result string, unsafe bool)
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) ModelAsked(string, string, time.Duration) {}
func (noMeter) ModelCached(string, bool)                 {}
func (noMeter) OutputAudited(string, string, bool)       {}

// auditAnswer checks whether an answer is safe for the person who wrote the message.
func (s *Service) auditAnswer(ctx context.Context, c *config.Config, intents []string, answer string, dry bool) outputguard.Audit {
	a := s.guard(c).Check(ctx, intents, answer)
	if a.Run && !dry {
		s.meter.OutputAudited(a.Risks[0], a.Result(), !a.IsSafe)
	}
	return a
}
