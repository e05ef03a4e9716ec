package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
)

// bucket() analyzes a subcommand, such as "cp" or "rm", of a tool for cloud storage ("aws s3", gsutil, "gcloud
// storage").
func bucket(t *trace.Trace, c *trace.Command, words []trace.Value, o *flags.Options) trace.Flow {
	if len(words) == 0 || o.Has("dryrun dry-run") {
		return trace.Nothing()
	}
	operands := words[1:]
	what := c.Name + " " + trace.JoinAll(words[:min(3, len(words))])
	switch words[0].Text {
	case "rb":
		return program.Judge(t, c, program.Destroys, what)
	case "rm":
		if o.Has("recursive r R a") || strings.ContainsAny(trace.JoinAll(operands), "*") {
			return program.Judge(t, c, program.Destroys, what)
		}
		return program.Judge(t, c, program.Changes, what)
	case "cp", "mv", "sync", "rsync":
		if words[0].Text == "rsync" && o.Has("n") {
			return trace.Nothing()
		}
		if bucketCopy(t, c, operands) {
			return trace.Flow{Taint: trace.FromNetwork}
		}
		if n := len(operands); n > 1 && isBucket(operands[n-1].Text) {
			program.Judge(t, c, program.Changes, what)
		}
		if strings.HasSuffix(words[0].Text, "sync") && o.Has("delete d delete-unmatched-destination-objects") {
			bucketMirror(t, c, operands)
		}
	case "mb", "website", "setmeta", "lifecycle", "versioning", "cors", "buckets":
		if verb := trace.FirstText(operands); verb == "list" || verb == "describe" || strings.HasPrefix(verb, "get") {
			return trace.Flow{Taint: trace.FromProgram}
		}
		return program.Judge(t, c, program.Changes, what)
	case "acl", "iam", "defacl":
		return bucketRights(t, c, operands, what)
	case "cat":
		return trace.Flow{Taint: trace.FromNetwork}
	}
	if acl := trace.FirstText(o.Values("acl")); strings.HasPrefix(acl, "public-") {
		program.Judge(t, c, program.Opens, what)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func isBucket(text string) bool {
	return strings.HasPrefix(text, "s3://") || strings.HasPrefix(text, "gs://") || strings.HasPrefix(text, "az://")
}

// bucketCopy analyzes a copy and reports whether its target is standard output.
func bucketCopy(t *trace.Trace, c *trace.Command, operands []trace.Value) bool {
	if len(operands) < 2 {
		return false
	}
	dest := operands[len(operands)-1]
	upload := isBucket(dest.Text)
	for _, v := range operands[:len(operands)-1] {
		switch {
		case isBucket(v.Text):
			program.Download(t, c, trace.HostOf(v.Text))
			if dest.Text == "-" && trace.IsSecret(v.Text) {
				program.Judge(t, c, program.Reveals, v.Text)
			}
			if !upload && dest.Text != "-" {
				network.SaveInto(t, c, dest, v, trace.Flow{Taint: trace.FromNetwork})
			}
		case upload:
			program.Upload(t, c, trace.HostOf(dest.Text), program.Attached(t, c, v.Text, v))
		}
	}
	return dest.Text == "-"
}

func bucketMirror(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if len(operands) == 0 {
		return
	}
	dest := operands[len(operands)-1]
	if isBucket(dest.Text) {
		t.Mark(c, "deletes extra files in "+dest.Text, effect.DestructiveOp)
		return
	}
	t.Remove(dest, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes", Part: "extra files"})
}

func bucketRights(t *trace.Trace, c *trace.Command, operands []trace.Value, what string) trace.Flow {
	if len(operands) == 0 || operands[0].Text == "get" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	for _, v := range operands {
		if lower := strings.ToLower(v.Text); strings.Contains(lower, "allusers") ||
			strings.Contains(lower, "allauthenticatedusers") || strings.HasPrefix(lower, "public-") {
			return program.Judge(t, c, program.Opens, what)
		}
	}
	return program.Judge(t, c, program.Changes, what)
}

// The function gsutil analyzes the program gsutil. Its command line begins with a verb ("gsutil cp"), unlike the
// command line of gcloud, which begins with a service ("gcloud storage cp"). Flags may come before and after the verb.
func gsutil(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "h o u")
	return bucket(t, c, append(o.Operands, o.Values("u")...), &o)
}

// athenaQuery analyzes the SQL that "aws athena start-query-execution" runs.
func athenaQuery(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	query := o.Values("query-string")
	if len(query) == 0 || query[0].Partial || strings.HasPrefix(query[0].Text, "file:") {
		return program.Judge(t, c, program.Changes, "aws "+o.Order())
	}
	database.SQL(t, c, query[0].Text)
	return trace.Flow{Taint: trace.FromProgram}
}
