package store

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
	"guardrails/store/live"
)

type projectStore struct {
	*live.TenantStore
	// The field "place" says where the store is.
	place, tenant string
	// The field "project" is the id of the project in the store. It is set even if the command is about all projects.
	project string
}

// allProjects is the name of a flag. Without it, a command works with the guidelines of the current project.
const allProjects = "all-projects"

// addScope adds the flag for all projects.
func addScope(c *cobra.Command, about string) { c.Flags().Bool(allProjects, false, about) }

// forAll reports whether the flag --all-projects is set.
func forAll(c *cobra.Command) bool {
	flag := c.Flags().Lookup(allProjects)
	return flag != nil && flag.Value.String() == "true"
}

// scopeFlag returns the flag that another command needs to work with the same guidelines, with a space before the flag.
// If no flag is needed, it returns "".
func (s *projectStore) scopeFlag() string {
	if s.ProjectID() == "" {
		return " --" + allProjects
	}
	return ""
}

// owner() returns the owner of the guidelines that the command changes, in words.
func (s *projectStore) owner() string {
	if s.ProjectID() == "" {
		return "all projects"
	}
	return "the project " + s.ProjectID()
}

// The type "absence" says what a command does if the default store does not exist.
type absence int

const (
	// mustExist makes the command fail if there is no store.
	mustExist absence = iota
	// The value "create" makes the command create the store if there is none.
	create
	// mayBeAbsent lets the command run with a nil store if there is none.
	mayBeAbsent
)

// withStore opens the store of the project, calls work(), and closes the store.
func withStore(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, s *projectStore) error) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	ctx, stop := app.Interruptible(c.Context())
	defer stop()
	openStore := a.OpenExisting
	if absent == create {
		openStore = a.OpenOrCreate
	}
	opened, err := openStore(ctx, settings)
	if absent == mayBeAbsent && errors.Is(err, live.ErrNoStore) {
		return work(ctx, nil)
	}
	if err != nil {
		return storeFailure(c, "", err)
	}
	who := live.Caller{Tenant: settings.Tenant, Actor: a.User(), ProjectID: settings.Project}
	if forAll(c) {
		who.ProjectID = ""
	}
	s := &projectStore{
		TenantStore: opened.For(who), place: opened.Location(), tenant: settings.Tenant, project: settings.Project,
	}
	return storeFailure(c, s.place, errors.Join(work(ctx, s), opened.Close()))
}

// changeStore is like withStore, for a command that changes guidelines. In the shell of an agent, it returns an error.
func changeStore(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, s *projectStore) error) error {
	if err := a.RequirePerson(c, "an agent must not change the guidelines that apply to it"); err != nil {
		return err
	}
	return withStore(a, c, absent, work)
}

// withAudit is like withStore, for a command that reads the audit. It first adds the hooks' waiting records to the
// audit.
func withAudit(a *app.App, c *cobra.Command, work func(ctx context.Context, s *projectStore) error) error {
	s := a.Service()
	_, err := s.TakeIn(c.Context())
	if err = errors.Join(err, s.Close()); err != nil {
		a.Note("the newest records of the hooks are missing here: " + err.Error())
	}
	return withStore(a, c, mustExist, work)
}

// storeFailure adds the name of the command to an error. If something was not found, it also adds the location of the
// store.
func storeFailure(c *cobra.Command, place string, err error) error {
	if err == nil || app.HasExitCode(err) {
		return err
	}
	hint := ""
	if other, ok := errors.AsType[*live.OtherProjectError](err); ok {
		hint = "; run the command in that project"
		if other.ForAll() {
			hint = "; add --" + allProjects + " to change it for all projects"
		}
	} else if store.CodeOf(err) == store.NotFound {
		hint = " (the store is " + place + "; to see the guidelines in it, run: guardrails list)"
	}
	return app.Failf("%s: %v%s", c.CommandPath(), err, hint)
}
