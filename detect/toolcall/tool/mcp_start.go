package tool

import (
	"strings"

	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// schedules() reports whether a call creates a job with a command that runs later or on another machine.
func (f *foreignCall) schedules() bool {
	o := f.order
	if o.looks() || !o.has("create add set update edit register schedule submit") {
		return false
	}
	command := f.has("command") || f.has("cmd") || f.has("script")
	later := o.has("cron crontab cronjob schedule scheduler scheduled") || f.has("schedule") || f.has("cron")
	return command && (later || o.has("job jobs task tasks")) || later && f.has("task")
}

// runsDeployment reports whether a call starts something whose name says that it deploys or publishes, such as the
// workflow deploy.yml. It also returns true for a call that starts or changes something in the production environment.
func (f *foreignCall) runsDeployment() bool {
	o := f.order
	starts := o.has("run dispatch trigger start rerun play")
	builds := o.has("build") && o.has("create")
	changes := starts || o.has("rollback restart promote") || o.has("flag flags") && o.has("update set toggle patch")
	switch {
	case o.looks(), o.has("cancel stop disable delete"):
		return false
	case changes && f.isForProduction():
		return true
	}
	if !starts && !builds {
		return false
	}
	for _, m := range f.args {
		text, _ := document.Text(m.Raw)
		if name := plainName(m.Name); strings.Contains(text, " ") || name != words.Among(name, startedNames) {
			continue
		}
		switch words.MeaningOf(strings.TrimSuffix(strings.TrimSuffix(text, ".yaml"), ".yml")) {
		case words.Deploys, words.Publishes:
			return true
		}
	}
	return false
}

// startedNames lists the usual names of an argument that says what a call starts.
const startedNames = "workflow workflowid workflowname pipeline pipelineid pipelineslug job jobid jobname jobfullname dagid " +
	"recipe script task"

// isForProduction reports whether an argument refers to the production environment. It returns false for a query in the
// production environment.
func (f *foreignCall) isForProduction() bool {
	if f.has("sql") || f.has("query") {
		return false
	}
	for _, m := range f.args {
		name := plainName(m.Name)
		text, _ := document.Text(m.Raw)
		if words.OneOf(name, "environment environmentname environmentkey env stage target") &&
			words.OneOf(text, "production prod live") {
			return true
		}
	}
	return false
}
