package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/store"
)

// world has what the random steps need to know about the stores.
type world struct {
	*rand.Rand
	// The field "changes" has the steps that have a write id. Later steps can repeat these steps. The field "lists" has
	// lists that later steps can continue to read.
	changes []step
	lists   []*list
	// The map "newest" has the last version of each guideline. The field "decisions" counts the decisions.
	newest    map[string]int
	decisions int
	made      []int
	// The field "generations" has the generation of each store. For each store, the map "sets" has sets of guidelines that
	// were read earlier.
	generations [2]int64
	sets        map[store.Store][]store.Set
	// The field "queued" counts the deliveries of webhooks. The map "endpoints" has the last version of each endpoint.
	queued    int
	endpoints map[string]int
}

func newWorld(random *rand.Rand) *world {
	return &world{
		Rand: random, newest: map[string]int{}, made: make([]int, len(kindNames())), sets: map[store.Store][]store.Set{},
		endpoints: map[string]int{},
	}
}

// The type "step" is one call. The function do() makes the call in a store, and returns what the store answers.
type step struct {
	text string
	do   func(ctx context.Context, s store.Store, cursor string) (answer any, next string, err error)
	// The field "list" is set if the step reads a page. A later step can then read the next page.
	list *list
	// ofGuidelines is set if the step reads a page of guidelines. If a guideline changes before the next page is read,
	// the next pages of the two drivers may differ.
	ofGuidelines bool
	// versions() returns the versions that the guidelines have after the step.
	versions func(answer any) map[string]int
}

// The type "list" is for a list that was not read to its end. It has the cursors of both drivers.
type list struct {
	step    step
	cursors [2]string
}

// both() makes a step in both stores and returns their answers as comparable texts.
func (s *step) both(ctx context.Context, p *pair, w *world) (first, second string) {
	var texts, cursors [2]string
	for i, driver := range []store.Store{p.sqlite, p.second} {
		cursor := ""
		if s.list != nil {
			cursor = s.list.cursors[i]
		}
		answer, next, err := s.do(ctx, driver, cursor)
		generation, failed := store.GenerationOf(ctx, driver, tenant)
		texts[i] = fmt.Sprint(answerText(ctx, driver, answer, next, err), " changed:", generation != w.generations[i], failed)
		if i == 0 && generation != w.generations[0] {
			w.lists = slices.DeleteFunc(w.lists, func(l *list) bool { return l.step.ofGuidelines })
		}
		cursors[i], w.generations[i] = next, generation
		if i == 0 && err == nil && s.versions != nil {
			for key, version := range s.versions(answer) {
				w.newest[key] = version
			}
		}
	}
	if cursors[0] != "" && cursors[1] != "" {
		w.lists = append(w.lists, &list{*s, cursors})
	}
	return texts[0], texts[1]
}

var hashes = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// answerText returns an answer without the parts that may differ between drivers: the name of the writer, and the
// hashes, which depend on this name.
func answerText(ctx context.Context, s store.Store, answer any, next string, err error) string {
	if failure := new(store.Error); errors.As(err, &failure) {
		return fmt.Sprintf("%s %d: %s", failure.Code, failure.Version, failure.Message)
	}
	text, failed := json.Marshal(answer)
	heads, headsFailed := s.Heads(ctx, tenant)
	text = bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")) // the character that replaces invalid UTF-8
	out := fmt.Sprint(string(text), " more:", next != "", " ", err, failed, headsFailed)
	for _, h := range heads {
		out = strings.ReplaceAll(out, h.Writer, "WRITER")
	}
	return hashes.ReplaceAllString(out, "HASH")
}

// step() returns the next random step.
func (w *world) step(now time.Time, n int) step {
	what := w.IntN(len(kindNames()))
	if n < 10 {
		what = n % 3 // begin with some guidelines and decisions
	}
	w.made[what]++
	made := w.kinds()[what].make(now, n)
	made.text = kindNames()[what] + " " + made.text
	return made
}

type kind struct {
	name string
	make func(now time.Time, n int) step
}

func kindNames() (out []string) {
	for _, k := range (*world)(nil).kinds() {
		out = append(out, k.name)
	}
	return out
}

// kinds() returns the kinds of steps. A kind that is in the list twice is twice as likely.
func (w *world) kinds() []kind {
	return []kind{
		{"create", w.create},
		{"append", w.append},
		{"import", w.importSome},
		{"update", w.update},
		{"toggle", w.toggle},
		{"delete", w.remove},
		{"restore", w.restore},
		{"repeat", w.repeat},
		{"update", w.update},
		{"append", w.append},
		{"reuse", w.reuse},
		{"prune", w.prune},
		{"get", w.get},
		{"list", w.listSome},
		{"all", w.all},
		{"history", w.history},
		{"audit", w.audit},
		{"audit", w.audit},
		{"read on", w.readOn},
		{"read on", w.readOn},
		{"export", w.export},
		{"heads", w.heads},
		{"verify", w.verify},
		{"changes", w.changesSince},
		{"changes", w.changesSince},
		{"dump", w.dump},
		{"load", w.load},
		{"endpoint", w.putEndpoint},
		{"endpoints", w.listEndpoints},
		{"lease", w.lease},
		{"follow", w.follow},
		{"queue", w.queue},
		{"queue", w.queue},
		{"deliveries", w.deliveries},
		{"save delivery", w.saveDelivery},
		{"prune deliveries", w.pruneDeliveries},
	}
}

func (w *world) pick(from ...string) string { return from[w.IntN(len(from))] }

func (w *world) key() string {
	return store.Key(w.pick("", "", "", "shop"), w.pick("alpha", "beta", "gamma", "a.b", "x-1", "x-2"))
}

func (w *world) write() store.Write {
	id := fmt.Sprintf("write-%08d", w.Uint32())
	return store.Write{ID: id, Tenant: tenant, Actor: w.pick("ann", "Bob B.", "cäsar", ""), Session: w.pick("", "s1")}
}

// version() returns the newest version of a guideline most of the time. Sometimes it returns another version.
func (w *world) version(key string) int {
	if w.IntN(5) == 0 {
		return w.IntN(5) - 1
	}
	return w.newest[key]
}

func (w *world) guideline(key string) guideline.Guideline {
	project, id := store.SplitKey(key)
	g := guideline.Guideline{
		ID: id, ProjectID: project, Name: w.pick("Apple", "apple", "Ärger", "pear 7%", "Plum_tree", "  Quince ", "a\"b\\c", ""),
		Description: w.pick("", "What it is for", "ÄPFEL und <b>"), Enabled: w.IntN(2) == 0,
		Category: guideline.Categories()[w.IntN(7)], Priority: w.IntN(4) * 250,
		Condition: guideline.Condition{Custom: map[string]any{"n": 1.50}},
		Action:    guideline.Action{Type: guideline.Instruction, Instruction: w.pick("Mind it.", "Mind\nit.")},
	}
	if w.IntN(2) == 0 {
		g.Condition.Agents, g.Condition.Domains = []string{w.pick("backend", "Backend", "ops")}, []string{"P1"}
		g.Condition.Actions, g.Condition.Events = []string{w.pick("implement", "review")}, []string{w.pick("pre_commit", "file_edit")}
		g.Metadata = map[string]any{"tags": []any{w.pick("red", "blue"), "x"}, "deep": map[string]any{"n": 1e21}}
	}
	return g
}
