package config

import (
	"os"
	"path/filepath"
	"slices"

	"guardrails/config/trust"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// The layers of settings and guidelines, the highest first. A lower layer can add to the higher layers and make them
// stricter. A lower layer cannot loosen them.
const (
	// Managed is the layer of the machine's administrator.
	Managed = "managed"
	// User is the layer of the user's own settings, guidelines and store.
	User = "user"
	// Project is the layer of a project's files. Environment variables also belong to this layer, because a project can
	// set them.
	Project = "project"
)

// Places says which folders contain the settings.
type Places struct {
	// Managed is the folder of the managed layer, or "". Owner is the user who must own this folder; 0 is root.
	Managed string
	Owner   int
	// User is the folder of the user's layer, or "".
	User string
	// Root is the root of the project, or "".
	Root string
	// Flags returns the value of the command-line option that replaces a variable. Only a person may use these options.
	// Their values override the user's settings. Flags may be nil.
	Flags func(variable string) string
}

// PlacesOf returns the folders whose settings apply in the project with the given root.
func PlacesOf(root string, env func(string) string) Places {
	return Places{Managed: product.ManagedDir(), User: product.ConfigDir(env), Root: root}
}

// GuidelineFolder returns the folder of a layer's guideline files, or "" if the layer has none.
func (p *Places) GuidelineFolder(layer string) string {
	switch {
	case layer == Managed && p.Managed != "":
		return filepath.Join(p.Managed, product.LayerGuidelinesFolder)
	case layer == User && p.User != "":
		return filepath.Join(p.User, product.LayerGuidelinesFolder)
	case layer == Project && p.Root != "":
		return filepath.Join(p.Root, filepath.FromSlash(product.GuidelinesFolder))
	}
	return ""
}

// Files returns the files and folders from which settings and guidelines are read.
func (p *Places) Files() []string {
	var out []string
	for _, dir := range []string{p.Managed, p.User} {
		if dir != "" {
			out = append(out, filepath.Join(dir, product.ConfigName), filepath.Join(dir, product.LayerGuidelinesFolder))
		}
	}
	if p.Root != "" {
		out = append(out, filepath.Join(p.Root, filepath.FromSlash(File)), p.GuidelineFolder(Project))
	}
	return out
}

// Layers has the settings of all layers as they were read, before they are combined.
type Layers struct {
	managed, user source
	// The field "file" contains the settings in the project's file. The field "own" contains the same settings
	// after environment variables have replaced some of them.
	file, own source
	// The map "variables" has an entry for each key that an environment variable sets. It maps the key to the name of
	// the variable.
	variables map[string]string
	// The field "cluster" is the store that is named by the environment variable clusterVariable.
	cluster *Store
	// The field "unusable" says why the managed folder is ignored. If the folder is used or does not exist, unusable is
	// empty.
	unusable string
	// The field "trusted" is set if a person trusts the project's files. The field "changed" is set if a person trusted
	// the files, but the files have changed since then.
	trusted, changed bool
	// The field "off" is set if a variable switches off all detectors. The field offByProject is set if the project's
	// client settings have this variable.
	off, offByProject bool
	// serverByProject is set if a variable names a server, and the project's client settings have this variable.
	serverByProject bool
	// The field "intervention" is the mode of the output guard that a variable asks for, or "".
	intervention string
}

// The type "source" contains the settings from one place: from the folder of a layer, from the project's file, or from
// the project's file together with the environment variables.
type source struct {
	Config
	problems document.Problems
	// The field "exists" is set if this place has a settings file or guidelines.
	exists bool
}

// Read reads the settings of all layers.
func Read(p Places, env func(string) string) *Layers {
	l := &Layers{unusable: checkManaged(p.Managed, p.Owner), variables: map[string]string{}}
	if l.unusable == "" {
		l.managed = readFolder(p.Managed)
	}
	l.user = readFolder(p.User)
	if p.Flags != nil {
		l.user.problems = append(l.user.problems, l.user.readEnvironment(p.Flags)...)
	}
	l.file = source{Config: defaults()}
	if p.Root != "" {
		l.file = readSource(filepath.Join(p.Root, filepath.FromSlash(File)))
		known, holds := trust.Holds(env, p.Root)
		l.trusted, l.changed = holds && len(l.file.problems) == 0, known && !holds
	}
	l.readVariables(env)
	l.readOff(p.Root, env)
	l.serverByProject = env(product.VariableServer) != "" && setsVariable(p.Root, product.VariableServer)
	l.readIntervention(env)
	return l
}

func (l *Layers) readVariables(env func(string) string) {
	l.own = source{Config: l.file.clone()}
	l.own.problems = append(slices.Clone(l.file.problems), l.own.readEnvironment(env)...)
	for _, k := range keys() {
		if k.variable != "" && env(k.variable) != "" {
			l.variables[k.name] = k.variable
		}
	}
	if l.own.Store == nil {
		var problems document.Problems
		l.cluster, problems = readClusterVariable(env)
		l.own.problems = append(l.own.problems, problems...)
	}
}

func readFolder(dir string) source {
	if dir == "" {
		return source{Config: defaults()}
	}
	name := filepath.Join(dir, product.ConfigName)
	s := readSource(name)
	if s.set["project"] {
		s.problems.Add(document.Problem{
			File: name, Path: "project", Message: "is for one project, but these settings are for all projects",
			Remedy: "move it to " + File + " of the project",
		})
	}
	s.exists = s.exists || hasEntries(filepath.Join(dir, product.LayerGuidelinesFolder))
	return s
}

func readSource(name string) source {
	s := source{Config: defaults()}
	s.problems = s.readFile(name)
	_, err := os.Lstat(name)
	s.exists = !os.IsNotExist(err) && !s.isOnlyPersonal()
	return s
}

// hasEntries reports whether a folder is not empty. It also returns true if the folder cannot be read.
func hasEntries(dir string) bool {
	entries, err := os.ReadDir(dir)
	return len(entries) > 0 || err != nil && !os.IsNotExist(err)
}

// Trusted reports whether a person trusts the project's files.
func (l *Layers) Trusted() bool { return l.trusted }

// HasHigher reports whether the machine's administrator or the user has settings or guidelines.
func (l *Layers) HasHigher() bool { return l.managed.exists || l.user.exists }

// Problems returns the mistakes in all settings.
func (l *Layers) Problems() document.Problems {
	return slices.Concat(l.HigherProblems(), l.own.problems)
}

// HigherProblems returns the mistakes in the settings of the machine's administrator and of the user.
func (l *Layers) HigherProblems() document.Problems {
	return slices.Concat(l.managed.problems, l.user.problems)
}

// ProjectProblems returns the mistakes in the project's settings and in environment variables.
func (l *Layers) ProjectProblems() document.Problems { return l.own.problems }
