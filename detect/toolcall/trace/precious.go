package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// systemPart returns the part of the reason that says why a deleted folder is in the zone System.
func (t *Trace) systemPart(p *Place) string {
	switch {
	case t.Env.isHome(p.Abs):
		return "a whole home folder"
	case p.Abs != "/" && t.containsProject(p.Abs):
		return "which contains the project"
	}
	return "which belongs to the system or contains everything"
}

// isPackageCache reports whether a path is in a folder where the system's package manager keeps its downloads.
func isPackageCache(abs string) bool {
	for _, folder := range [...]string{
		"/var/lib/apt/lists/", "/var/cache/apt/", "/var/cache/apk/",
		"/var/cache/dnf/", "/var/cache/yum/",
	} {
		if strings.HasPrefix(abs+"/", folder) {
			return true
		}
	}
	return false
}

// precious() returns the part of a reason that says why a folder outside the project must not be deleted as a whole. It
// returns "" if the folder may be deleted.
func (t *Trace) precious(p *Place) string {
	folder := strings.TrimSuffix(strings.TrimSuffix(p.Abs, "/*"), "/.*")
	if rel, ok := t.Env.inHome(folder); ok && t.isPersonal(strings.ToLower(rel)) {
		return "a folder with somebody's files, keys or settings"
	}
	if t.Env.HasRepository != nil && !strings.ContainsAny(folder, "*?[") && t.Spend(StepsOfRepository) && t.Env.HasRepository(folder) {
		return "another project"
	}
	return ""
}

// inHome returns a path relative to the home folder that contains it. It returns false if the path is not in a home
// folder.
func (e *Env) inHome(abs string) (rel string, ok bool) {
	for _, home := range [...]string{e.Home, "/root"} {
		if rel, ok := Below(abs, home); ok {
			return rel, true
		}
	}
	if len(abs) > 2 && abs[1] == ':' {
		abs = abs[2:]
	}
	for _, homes := range [...]string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(abs, homes); ok {
			_, rel, ok := strings.Cut(rest, "/")
			return rel, ok
		}
	}
	return "", false
}

// personalFolders lists the folders in a home folder that hold a person's files, keys or settings. The names are in
// lower case.
const personalFolders = "desktop documents downloads pictures music movies videos public library dropbox onedrive " +
	".ssh .gnupg .aws .azure .gcloud .kube .docker .config .config/gcloud .config/gh .local .local/share " +
	".password-store .mozilla .thunderbird"

// isPersonal reports whether a path is one of the personal folders. The path is relative to a home folder, and may be a
// glob.
func (t *Trace) isPersonal(rel string) bool {
	if !strings.ContainsAny(rel, "*?[") {
		return rel != "" && rel == words.Among(rel, personalFolders)
	}
	for _, folder := range strings.Split(personalFolders, " ") {
		if t.MayBe(rel, folder) && !hidesDots(rel, folder) {
			return true
		}
	}
	return false
}
