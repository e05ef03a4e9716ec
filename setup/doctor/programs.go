package doctor

import (
	"debug/buildinfo"
	"runtime/debug"
	"slices"
	"strings"

	"guardrails/hooks/reach"
	"guardrails/internal/product"
	"guardrails/setup"
)

const linkPrograms = "programs"

// The type "program" is a program that the hooks need. The field "build" is nil if the file has no build information.
type program struct {
	path  string
	build *debug.BuildInfo
}

// checkPrograms compares the build of this program with the builds of the hook programs, and with the build of the
// guardrails program that the hooks start.
func (x *Examination) checkPrograms() {
	own := ""
	if info, err := buildinfo.ReadFile(x.Program); err == nil {
		own = build(info)
	}
	var list []program
	for _, path := range x.programs() {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			info = nil
		}
		list = append(list, program{path, info})
	}
	x.compare(own, list)
}

func (x *Examination) compare(own string, list []program) {
	var others []string
	sound := len(list) > 0
	for _, p := range list {
		switch {
		case p.build == nil || !isOurs(p.build, p.path):
			sound = false
			x.add(linkPrograms, Broken, p.path+" has the name of a guardrails program but is another program",
				"install guardrails again, then "+x.runInit())
		case own != "" && build(p.build) != own:
			others = append(others, p.path+" ("+build(p.build)+")")
		}
	}
	switch {
	case len(others) > 0:
		x.add(linkPrograms, Warning, "these programs are of a different build than this guardrails ("+own+"): "+strings.Join(others, ", "),
			"install all programs of one build, then "+x.runInit())
	case sound:
		x.add(linkPrograms, OK, "all are of the build "+build(list[0].build), "")
	}
}

// programs() returns the programs that the hooks start, without repetitions. It omits missing programs, because the
// check of each hook reports its missing program.
func (x *Examination) programs() []string {
	var list []string
	for _, e := range x.entries() {
		if !e.Ours() || e.Direct() || e.Program() == setup.Presence {
			continue
		}
		program := x.locate(programOf(&e))
		for _, path := range []string{program, reach.FindCLI(program)} {
			if path != "" && cannotRun(path, x.System) == "" && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// cli() returns the path of the guardrails program that a hook starts if no server answers, or "".
func (x *Examination) cli() string { return reach.FindCLI(x.enforcer()) }

// enforcer() returns the program that checks tool calls, or "". If the client calls the server instead, enforcer()
// returns the program that starts the server, because the hook programs are in the same folder.
func (x *Examination) enforcer() string {
	for _, e := range x.entries() {
		if e.Event == "PreToolUse" && e.Ours() && !e.Direct() {
			return x.locate(programOf(&e))
		}
	}
	if x.direct() {
		return x.serverProgram()
	}
	return ""
}

// isOurs reports whether a program was built from our command of the same name. If we have no command of this name, it
// returns true.
func isOurs(info *debug.BuildInfo, path string) bool {
	name := product.ProgramName(path)
	return strings.HasSuffix(info.Path, "/"+name) || !product.IsOwnProgram(name)
}

// build() returns the commit from which a program was built. If the build did not record a commit, it returns the
// version. build() prefers the commit, because the hooks are built from a copy of the module, and this copy has no
// version.
func build(info *debug.BuildInfo) string {
	name, modified := info.Main.Version, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			name = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " with changes"
		}
	}
	return name + modified
}
