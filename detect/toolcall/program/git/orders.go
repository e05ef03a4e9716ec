package git

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// The constant "orders" lists subcommands of other version control systems. Most of these subcommands can lose work
// or history. A subcommand that is not listed is judged by its words.
const orders = `
jj
	values  R repository r revision revisions at-operation at-op
	quiet   help h dry-run
	abandon|restore                           code loses
	undo|redo|revert                          looks
	op|operation restore|abandon              code loses
	bookmark|b|branch delete|d|forget         code loses
	workspace forget                          code loses
	util gc                                   code rewrites
	git push +deleted|delete|d                       marks force_push deletes branches on the remote
	git push                                  marks push pushes
	*                                         unlisted

hg chg sl
	values  R repository cwd config m message r rev
	quiet   help h n dry-run
	update|up|checkout|co|goto +C|clean       code loses
	clone                                     code clones
	purge|clean +p|print                      looks
	revert|purge|clean|rollback|forget        code loses
	shelve|bookmark|bookmarks|book +d|delete  code loses
	strip|debugstrip|prune|hide|histedit      code rewrites
	push +f|force                             marks force_push overwrites a remote branch
	push                                      marks push pushes
	*                                         unlisted

arc
	land                                      marks merge,push_default_branch merges into the default branch
	*                                         unlisted

svn
	values  m message F file r revision username password
	checkout|co|export                        code clones
	revert                                    code loses
	cleanup +remove-unversioned|remove-ignored  code loses
	delete|del|remove|rm +force               code loses
	delete|del|remove|rm +~://                code rewrites
	delete|del|remove|rm                      looks
	*                                         unlisted

fossil
	quiet   n dry-run
	revert|clean                              code loses
	purge|scrub|shun                          code rewrites
	rm|delete|undo|redo                       looks
	*                                         unlisted

bzr brz darcs pijul cvs got
	quiet   dry-run help h
	revert|clean-tree|uncommit|reset          code loses
	update|up +C                              code loses
	unrecord|obliterate|amend-record          code rewrites
	branch +d                                 code loses
	rm|remove|undo                            looks
	*                                         unlisted

p4
	values  c u p P m
	revert|clean +n                           looks
	revert|clean                              code loses
	obliterate +y                             code rewrites
	obliterate                                looks
	delete                                    code rewrites
	client|workspace|change|branch|label +d   code loses
	*                                         unlisted

git-crypt git-secret
	export-key|cat                            marks secret_access prints a secret:
	*                                         unlisted

git-annex
	drop|dropunused +force                    code loses
	drop|dropunused                           looks
	*                                         unlisted

repo
	sync +force-sync                          code loses
	*                                         unlisted

git-branchless
	hide|undo                                 code loses
	*                                         unlisted
`

var table = program.Table{Text: orders, Code: codeOf} //nolint:gochecknoglobals // a constant table

// Table returns the table with the subcommands of the programs in this package.
func Table() *program.Table { return &table }

func codeOf(name string) program.Code {
	switch name {
	case "loses":
		return loses
	case "rewrites":
		return rewrites
	case "clones":
		return bringIn
	}
	return nil
}

func loses(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "discards work ("+c.Name+" "+o.Order()+")", effect.DiscardChanges)
	return trace.Flow{Taint: trace.FromProgram}
}

func rewrites(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "rewrites or deletes history ("+c.Name+" "+o.Order()+")", effect.HistoryRewrite)
	return trace.Flow{Taint: trace.FromProgram}
}
