package service

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/host"
	"guardrails/internal/product"
	"guardrails/rules"
	"guardrails/service/fallback"
	"guardrails/service/guidelinefiles"
	"guardrails/service/inject"
	"guardrails/service/memory"
	"guardrails/store/footprint"
)

// A rulebook holds the current guidelines and settings of a project. It does not depend on a task.
type rulebook struct {
	settings config.Config
	// The field "owner" is the tenant to which the project belongs.
	owner string
	// The field "misread" is set if the settings have a mistake. Some settings are then unknown.
	misread bool
	// derivedID is the id that guardrails derives for the project. It is used if the settings name no id.
	derivedID string
	// The field "written" holds the settings of each layer as they were before they were combined.
	written *config.Layers
	// The field "layers" has the layers that exist, the highest first.
	layers []layer
	// The field "store" is the content of the project's store. The field "probe" is the content of the user's own store,
	// if this store was read to find out which layers exist.
	store, probe *storePart
	// The field "repeated" is set if a rule of the client is left out because another definition has the same id.
	repeated bool
	// The field "hidden" has the definitions that do not apply because another definition has the same id.
	hidden []hiddenSource
	// The field "ignored" lists the settings that have no effect, or less effect than intended.
	ignored []config.Ignored
	roles   inject.Roles
	// The field "silent" has the ids of guidelines whose text the client itself passes to the model.
	silent   map[string]bool
	source   string
	fallback *fallback.Fallback
	notices  []string
	// otherTenant is set if the caller does not belong to the project's tenant. The field "partial" is set if the
	// guidelines of the project's server are left out.
	otherTenant, partial bool
	// The field "read" is the time at which the process began to read the guidelines.
	read time.Time
	// The field "saved" is set once the guidelines have been saved as the last known good guidelines.
	saved   *atomic.Bool
	answers *hookAnswers
	// The field "own" is the number of bytes that only this rulebook takes, without its answers. It is set if the
	// rulebook is cached.
	own footprint.Estimate
}

// serverAge limits how long the rulebook is cached if its guidelines come from a server.
const serverAge = 2 * time.Second

// rulebook() returns the rulebook of a project, with the draft of the request.
func (s *Service) rulebook(ctx context.Context, root string, r *Request) (*rulebook, error) {
	b, err := s.savedRulebook(ctx, root, r)
	if err != nil || r.Draft == nil {
		return b, err
	}
	return b.withDraft(r.Draft)
}

// savedRulebook returns the rulebook of a project. It takes the rulebook from the cache if nothing has changed since it
// was read.
func (s *Service) savedRulebook(ctx context.Context, root string, r *Request) (*rulebook, error) {
	if err := errors.Join(checkProjectID(r), s.bind(ctx, root, r)); err != nil {
		return nil, err
	}
	key := s.memoryKey(root, r)
	book := s.recall(ctx, key)
	s.onRequest(book != nil)
	if book == nil {
		var err error
		if book, err = s.read(ctx, key, root, r); err != nil {
			return nil, err
		}
	}
	own := *book // callers add notices
	own.notices = slices.Clone(own.notices)
	if own.fallback != nil {
		return &own, nil
	}
	if s.memory != nil {
		s.memory.Confirm(key, book, s.now())
	}
	if r.Hook {
		own.notices = append(own.notices, s.keeper().EndOutage(root)...)
	}
	if notices := s.saveInTime(key, root, r, &own); r.Hook || s.servesItself(r, &own) {
		own.notices = append(own.notices, notices...)
	}
	return &own, nil
}

// recall() returns the cached rulebook for a key. If a few guidelines in its store have changed since it was cached,
// recall() applies these changes. If there is no cached rulebook, or if more has changed, recall() returns nil.
func (s *Service) recall(ctx context.Context, key memory.Key) *rulebook {
	if s.memory == nil {
		return nil
	}
	book, ok := s.memory.Get(key, s.now())
	if !ok {
		return nil
	}
	if s.isCurrent(ctx, book) {
		return book
	}
	next := s.follow(ctx, book)
	if next != nil {
		s.memory.Replace(key, book, next)
	}
	return next
}

// memoryKey returns the key under which the rulebook for a request is cached. Two requests have different keys if their
// callers are allowed to see different guidelines of the project.
func (s *Service) memoryKey(root string, r *Request) memory.Key {
	kind := "all"
	if r.Definitions {
		kind = "own"
	}
	if r.bound {
		kind += " of a tenant"
	}
	view := slices.Concat([]string{r.TenantID, r.ProjectID, kind, s.env(product.VariableHome)}, config.Overrides(s.env))
	return memory.Key{Root: root, View: strings.Join(view, "\x00")}
}

// servesItself reports whether a request is about the server's own project.
func (s *Service) servesItself(r *Request, b *rulebook) bool {
	return s.memory != nil && r.Project == "" && !r.Definitions &&
		(r.bound && r.TenantID == b.owner || !r.bound && r.TenantID == "")
}

// saveInTime saves the guidelines of a rulebook. If there are more guidelines than savedAtOnce, a server saves them in
// the background. saveInTime then returns the notices of the previous attempt.
func (s *Service) saveInTime(key memory.Key, root string, r *Request, b *rulebook) (notices []string) {
	if b.saved.Load() || s.memory == nil || s.stores == nil || b.count() <= savedAtOnce {
		return s.save(root, r, b)
	}
	request, book := *r, *b
	return s.stores.saver.saveLater(key, func() []string { return s.save(root, &request, &book) })
}

// save() saves the guidelines as the last known good guidelines. It skips a rulebook that was already saved, has only a
// part of the guidelines, or is older than the state that another process has seen. If the request names a project id,
// and the project with this id has no guidelines of its own, save() skips the rulebook too. save() returns notices for
// the user if there are problems.
func (s *Service) save(root string, r *Request, b *rulebook) (notices []string) {
	if b.saved.Load() || b.partial || r.ProjectID != "" && !b.store.hasOwn || s.seenNewer(b) {
		return nil
	}
	err := s.raiseWatermark(b) // do this first, so that a process with older guidelines does not replace these guidelines
	if err == nil {
		var notice string
		last := &fallback.Snapshot{Time: b.read, Settings: b.snapshotSettings(), Layers: b.plain()}
		notice, err = s.keeper().SaveSnapshot(root, b.snapshotKey(r), last, func() bool { return s.seenNewer(b) })
		if notice != "" {
			notices = append(notices, notice)
		}
	}
	if err == nil && b.store.from != nil {
		err = s.keeper().SaveShared(storeID(b.store.from, &b.settings), b.store.mark.Changes, b.store.view)
	}
	if err == nil && (r.Hook || s.servesItself(r, b)) {
		err = s.keepProjectID(root, b)
	}
	if err != nil {
		return append(notices, "guardrails cannot save the last known good guidelines: "+err.Error())
	}
	// While there is a notice, each request saves again, so that each answer has the notice.
	b.saved.Store(len(notices) == 0)
	return notices
}

func (b *rulebook) snapshotSettings() fallback.Settings {
	return fallback.Settings{
		Tenant: b.settings.Tenant, Strict: b.settings.Strict, Database: b.database(),
		Changes: b.store.mark.Changes,
	}
}

// plain() returns the layers in the form in which a snapshot stores them.
func (b *rulebook) plain() (layers []fallback.Layer) {
	for i := range b.layers {
		layers = append(layers, b.layers[i].plain())
	}
	return layers
}

// guidelines() yields the guidelines of all layers.
func (b *rulebook) guidelines() iter.Seq[*rules.Source] {
	return func(yield func(*rules.Source) bool) {
		for i := range b.layers {
			for n := range b.layers[i].guidelines {
				if !yield(b.layers[i].guidelines[n]) {
					return
				}
			}
		}
	}
}

// count() returns the number of guidelines of all layers.
func (b *rulebook) count() (n int) {
	for i := range b.layers {
		n += len(b.layers[i].guidelines)
	}
	return n
}

// snapshotKey returns the key under which the rulebook for a request is saved.
func (b *rulebook) snapshotKey(r *Request) string {
	if b.otherTenant {
		return otherSnapshot(r)
	}
	return ownSnapshot(r)
}

// snapshotTenant returns the tenant for the key of a snapshot. It returns "" for a caller of the project's own tenant.
func snapshotTenant(r *Request) string {
	if r.bound {
		return ""
	}
	return r.TenantID
}

// database() returns the path of the default database if guidelines came from it. Otherwise it returns "".
func (b *rulebook) database() string {
	if b.store.from == nil || b.settings.Store != nil {
		return ""
	}
	return b.store.from.Location()
}

// read() reads the rulebook of a project from its files and stores. It caches the rulebook unless there is a problem.
func (s *Service) read(ctx context.Context, key memory.Key, root string, r *Request) (*rulebook, error) {
	var before memory.Stamps
	if s.memory != nil {
		before = s.memory.Watch(root, s.watched(root))
	}
	began := s.now()
	b := &rulebook{store: &storePart{}, read: began, saved: &atomic.Bool{}, answers: &hookAnswers{}}
	higher, own := s.useSettings(ctx, root, r, b)
	if r.bound && (b.misread || b.owner != r.TenantID) {
		if err := s.readOtherTenant(ctx, root, r, b); err != nil {
			return nil, err
		}
		if b.fallback == nil {
			s.remember(key, b, before, began)
		}
		return b, nil
	}
	if err := s.fill(ctx, root, r, b, higher, own); err != nil {
		return nil, err
	}
	if b.fallback == nil {
		s.remember(key, b, before, began)
	}
	return b, nil
}

// release() drops the lists of guidelines that were read from the stores. A complete rulebook does not need them,
// because its layers have the guidelines.
func (b *rulebook) release() {
	b.store.sources = nil
	if b.probe != nil {
		b.probe.sources = nil
	}
}

// watched() returns all files and folders that determine the settings, the guidelines and the trust of a project.
func (s *Service) watched(root string) []string {
	places := s.places(root)
	files := append(places.Files(), host.ProjectIDFiles(root)...)
	if kept := s.keeper().ProjectIDFile(root); kept != "" {
		files = append(files, kept)
	}
	for _, name := range []string{product.RulesFolder, product.PoliciesFile} { // trust covers the policy file
		files = append(files, filepath.Join(root, filepath.FromSlash(name)))
	}
	return append(files, trust.File(s.env, root))
}

func (s *Service) remember(key memory.Key, b *rulebook, before memory.Stamps, began time.Time) {
	b.release()
	if s.memory == nil {
		return
	}
	var until time.Time
	if b.settings.Server != nil {
		until = began.Add(serverAge)
	}
	b.measure()
	s.memory.Put(key, b, before, began, until)
}

// compile() compiles the guidelines of all layers, and sets the fields that depend on them.
func (b *rulebook) compile() error {
	notices, hidden := separate(b.layers)
	b.notices, b.hidden = append(b.notices, notices...), append(b.hidden, hidden...)
	b.askAboutLoops()
	for i := range b.layers {
		if err := b.layers[i].compile(); err != nil {
			return err
		}
	}
	b.ignored = append(slices.Clone(b.settings.Ignored), ignored(b.written, b.layers)...)
	b.notices = append(b.notices, config.Notices(b.ignored)...)
	b.roles, b.silent = inject.RolesOf(b.guidelines()), map[string]bool{}
	for g := range b.guidelines() {
		if guidelinefiles.IsClientRule(g) && b.source != fallback.SourceStatic {
			b.silent[g.ID] = true
		}
	}
	return nil
}
