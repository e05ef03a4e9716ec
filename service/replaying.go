package service

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/host"
	"guardrails/service/replay"
	"guardrails/store"
)

// ReplayRequest is a request to find out which recorded decisions would change.
type ReplayRequest struct {
	// Draft has the changes to try. If it is nil, the recorded decisions are compared with the saved guidelines.
	Draft *Draft
	// Calls is the largest number of calls that are judged again, or 0 for the usual number.
	Calls int
	// Progress is called from time to time with the report so far. It may be nil.
	Progress func(*replay.Report) error
}

// Replay judges recorded calls again, with the current guidelines and a draft. It changes nothing.
func (s *Service) Replay(
	ctx context.Context, entries iter.Seq2[store.Entry, error], r ReplayRequest,
) (*replay.Report, error) {
	p := &replaying{
		s: s, ctx: ctx, draft: r.Draft, own: host.Root(s.env, s.dir), books: map[placeOfCall]*bookPair{},
	}
	out, err := replay.Run(ctx, entries, replay.Options{Judge: p.judge, Calls: r.Calls, Progress: r.Progress})
	if err == nil && p.elsewhere {
		out.Notices = append(out.Notices, "Some calls are from projects whose files this server does not read. "+
			"They were judged by the guidelines of the store and of the server's own project.")
	}
	return out, err
}

// The type "replaying" is one replay. It reads the guidelines of each project only once.
type replaying struct {
	s     *Service
	ctx   context.Context //nolint:containedctx // one replay has one context
	draft *Draft
	// The field "own" is the root of the service's own project.
	own   string
	books map[placeOfCall]*bookPair
	// The field "elsewhere" is set if a call was made in a project whose files cannot be read.
	elsewhere bool
}

// placeOfCall says which guidelines apply to a call.
type placeOfCall struct{ root, projectID string }

// bookPair has two versions of a project's guidelines: the saved guidelines, and the guidelines with the changes of the
// draft. Without a draft, both versions are the same.
type bookPair struct {
	root         string
	saved, draft *rulebook
	// The field "needs" has two sets of facts. The saved guidelines depend on the first set, and the guidelines with
	// the draft depend on the second.
	needs [2]rejudge.Needs
	// The field "failed" is set if the guidelines cannot be read.
	failed bool
}

// maxBooks is the largest number of projects in a replay.
const maxBooks = 100

func (p *replaying) judge(e *store.Entry, c *rejudge.Call, was replay.Verdict) (replay.Outcome, error) {
	b, err := p.book(e)
	if err != nil {
		return replay.Outcome{}, err
	}
	if b == nil || b.failed {
		return replay.Outcome{Missing: replay.Unknown}, nil
	}
	would, missing := p.decide(b.root, b.draft, &b.needs[1], e, c)
	out := replay.Outcome{Would: would, Missing: string(missing), ByDraft: b.draft != b.saved}
	if missing == "" && out.ByDraft && !sameVerdict(would, was) {
		now, missing := p.decide(b.root, b.saved, &b.needs[0], e, c)
		out.ByDraft = missing == "" && sameVerdict(now, was)
	}
	return out, nil
}

func sameVerdict(d *decide.Decision, was replay.Verdict) bool {
	return string(d.Outcome) == was.Result && d.Guideline() == was.Guideline
}

func (p *replaying) decide(
	root string, b *rulebook, needs *rejudge.Needs, e *store.Entry, c *rejudge.Call,
) (*decide.Decision, rejudge.Missing) {
	q := b.question(p.ctx, p.s.env, root, c)
	for i := range q {
		q[i].query.SessionID = e.Session
	}
	return c.Judge(q.layers(e.Time), e.Time, *needs)
}

// question() returns the queries for a recorded call. The queries have the tasks that were recorded with the call. If
// there are now more or fewer layers than at that time, all queries have the recorded task of the project's layer.
func (b *rulebook) question(ctx context.Context, env func(string) string, root string, c *rejudge.Call) question {
	own := c.Layers[len(c.Layers)-1]
	r := &Request{Hook: true, Context: guideline.Context{Agent: own.Agent, Domain: own.Domain, Action: own.Action}}
	q := b.query(ctx, env, root, r)
	if len(q) != len(c.Layers) {
		r.MainThread = true
		if more := b.query(ctx, env, root, r); len(more) == len(c.Layers) {
			q = more
		}
	}
	for i := range q {
		task := own
		if len(q) == len(c.Layers) {
			task = c.Layers[i]
		}
		at := q[i].query
		at.Agent, at.Domain, at.Action = task.Agent, task.Domain, task.Action
		if task.Environment != "" {
			at.Metadata["environment"] = task.Environment
		}
	}
	return q
}

// maxBranches is the largest number of branches that are tried for a call whose branch is not known.
const maxBranches = 50

// needs() returns the facts on which the guidelines depend. The parameter "asking" has the ids of guidelines that a
// person may have approved before the call.
func (b *rulebook) needs(asking map[string]bool) rejudge.Needs {
	n, loops := rejudge.Needs{Asking: asking}, string(effect.ToolLoop)
	for g := range b.guidelines() {
		n.Loops = n.Loops || slices.Contains(g.Condition.Events, loops) && b.settings.Detectors.ToolLoop == config.Ask
		for _, name := range branchesOf(&g.Condition) {
			switch {
			case slices.Contains(n.Branches, name):
			case len(n.Branches) == maxBranches || strings.ContainsAny(name, `[{\`):
				n.AnyBranch = true // too many branches, or the pattern does not match its own text
			default:
				n.Branches = append(n.Branches, name)
			}
		}
	}
	return n
}

// branchesOf returns the branches that a condition names or excludes. A replay tries these branches for a call whose
// branch is not known. If the condition has a pattern, such as release/*, branchesOf returns the text of the pattern as
// a branch, because a pattern with an asterisk matches its own text.
func branchesOf(c *guideline.Condition) (out []string) {
	value := c.Custom[guideline.FactBranch]
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	for _, value := range values {
		if name, ok := value.(string); ok {
			out = append(out, strings.TrimPrefix(name, "!"))
		}
	}
	return out
}

func (b *rulebook) ids() map[string]bool {
	out := map[string]bool{}
	for g := range b.guidelines() {
		out[g.ID] = true
	}
	return out
}

// book() returns the guidelines for the project of an entry. It returns nil if there are too many projects.
func (p *replaying) book(e *store.Entry) (*bookPair, error) {
	root, _ := e.Context.Metadata["project"].(string)
	at := placeOfCall{root: root, projectID: e.ProjectID}
	if known := p.books[at]; known != nil || len(p.books) == maxBooks {
		return known, nil
	}
	r := &Request{ProjectID: e.ProjectID}
	switch {
	case root == p.own || root == "" || !filepath.IsAbs(root):
		r.ProjectID = "" // the settings of the service's own project have its id
	case p.s.remote:
		p.elsewhere = true
	default:
		r.Project, r.ProjectID = root, ""
	}
	b, err := p.read(r)
	p.books[at] = b
	return b, err
}

// read() reads the guidelines of a project. If they cannot be read, it returns a bookPair whose field "failed" is
// set. read() returns an error only if the draft is wrong or the context is done.
func (p *replaying) read(r *Request) (b *bookPair, err error) {
	b = &bookPair{}
	b.root, err = p.s.root(r)
	if err == nil {
		b.saved, err = p.s.rulebook(p.ctx, b.root, r)
	}
	if err != nil || b.saved.fallback != nil || b.saved.misread {
		return &bookPair{failed: true}, p.ctx.Err()
	}
	b.draft = b.saved
	if p.draft != nil {
		if b.draft, err = b.saved.withDraft(p.draft); err != nil {
			return nil, err
		}
	}
	ids := b.saved.ids()
	b.needs = [2]rejudge.Needs{b.saved.needs(ids), b.draft.needs(ids)}
	return b, nil
}

// ReplaySince is the length of the period that a replay usually covers. If the caller names no period, the calls of the
// last 24 hours are judged again.
const ReplaySince = 24 * time.Hour
