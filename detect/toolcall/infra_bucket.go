package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// bucket is cp, mv, sync and rm of cloud storage, as aws s3, gsutil and gcloud storage have them.
func (a *analyzer) bucket(c *command, words []value, o *options) flow {
	if len(words) == 0 || o.has("dryrun dry-run") {
		return nothing()
	}
	operands := words[1:]
	what := c.name + " " + joinAll(words[:min(3, len(words))])
	switch words[0].text {
	case "rb":
		return a.judge(c, destroys, what)
	case "rm":
		if o.has("recursive r R a") || strings.ContainsAny(joinAll(operands), "*") {
			return a.judge(c, destroys, what)
		}
		return a.judge(c, changes, what)
	case "cp", "mv", "sync", "rsync":
		if a.bucketCopy(c, operands) {
			return flow{taint: fromNetwork}
		}
		if strings.HasSuffix(words[0].text, "sync") && o.has("delete d delete-unmatched-destination-objects") {
			a.bucketMirror(c, operands)
		}
	case "mb", "website", "setmeta", "lifecycle", "versioning", "cors", "buckets":
		return a.judge(c, changes, what)
	case "acl", "iam", "defacl":
		return a.bucketRights(c, operands, what)
	case "cat":
		return flow{taint: fromNetwork}
	}
	if acl := firstText(o.values("acl")); strings.HasPrefix(acl, "public-") {
		a.judge(c, opens, what)
	}
	return flow{taint: fromProgram}
}

func isBucket(text string) bool {
	return strings.HasPrefix(text, "s3://") || strings.HasPrefix(text, "gs://") || strings.HasPrefix(text, "az://")
}

// bucketCopy reports whether the copy goes to standard output.
func (a *analyzer) bucketCopy(c *command, operands []value) bool {
	if len(operands) < 2 {
		return false
	}
	dest := operands[len(operands)-1]
	upload := isBucket(dest.text)
	for _, v := range operands[:len(operands)-1] {
		switch {
		case isBucket(v.text):
			a.download(c, hostOf(v.text))
			if !upload && dest.text != "-" {
				a.saved(c, into(dest, v.text))
			}
		case upload:
			a.upload(c, hostOf(dest.text), a.attached(c, v.text, v))
		}
	}
	return dest.text == "-"
}

func (a *analyzer) bucketMirror(c *command, operands []value) {
	if len(operands) == 0 {
		return
	}
	dest := operands[len(operands)-1]
	if isBucket(dest.text) {
		a.mark(c, "deletes in "+dest.text+" what the source does not have", effect.DestructiveOp)
		return
	}
	a.remove(dest, c.sc, c.span, removal{tree: true, how: "deletes what the source does not have in"})
}

func (a *analyzer) bucketRights(c *command, operands []value, what string) flow {
	if len(operands) == 0 || operands[0].text == "get" {
		return flow{taint: fromProgram}
	}
	for _, v := range operands {
		if lower := strings.ToLower(v.text); strings.Contains(lower, "allusers") || strings.Contains(lower, "allauthenticatedusers") || strings.HasPrefix(lower, "public-") {
			return a.judge(c, opens, what)
		}
	}
	return a.judge(c, changes, what)
}

// gsutil is storage without a service before the verb. Its flags stand on both sides of it.
func gsutil(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "h o u")
	return a.bucket(c, append(o.operands, o.values("u")...), &o)
}

// bigQuery is bq: rm deletes, query runs SQL.
func bigQuery(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "project_id dataset_id location format")
	if o.has("dry_run") {
		return nothing()
	}
	switch o.word(0) {
	case "rm":
		return a.judge(c, destroys, "bq "+o.order())
	case "query":
		for _, v := range o.operands[1:] {
			a.sql(c, v.text)
		}
		if c.in.known {
			a.sql(c, c.in.text)
		}
	}
	return flow{taint: fromProgram}
}
