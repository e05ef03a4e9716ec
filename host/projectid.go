package host

import (
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"guardrails/guideline"
)

// maxClones limits how many local clones of clones ProjectID follows.
const maxClones = 4

// ProjectID returns the name of a project that all clones and worktrees of its repository share: the address of the
// remote, such as github.com/acme/shop. A repository without a remote, and a folder without a repository, have their
// path. It reads the files of git and does not start git.
func ProjectID(root string) string {
	at := filepath.Clean(root)
	for range maxClones {
		common := string(gitFoldersOf(at).common)
		if common == "" {
			break
		}
		// A bare repository with worktrees is itself the main folder.
		if at = common; filepath.Base(at) == ".git" {
			at = filepath.Dir(at)
		}
		address := readGitSettings(gitFolder(common).text("config")).address()
		if address == "" {
			break
		}
		path, isLocal := localPath(address, at)
		if !isLocal {
			return remoteID(address)
		}
		if at = path; !exists(filepath.Join(at, ".git")) {
			break // a bare repository
		}
	}
	return shortID(filepath.ToSlash(Resolve(at)))
}

// ProjectIDFiles returns the files that ProjectID reads first.
func ProjectIDFiles(root string) []string {
	common := string(gitFoldersOf(root).common)
	if common == "" {
		return nil
	}
	return []string{filepath.Join(common, "config")}
}

// address returns the address of the remote origin, or of the only remote. It returns "" if there is none.
func (s gitSettings) address() string {
	var names []string
	for _, line := range s {
		line = strings.TrimSpace(line)
		if name, isRemote := strings.CutPrefix(line, `[remote "`); isRemote {
			names = append(names, strings.TrimSuffix(name, `"]`))
		}
	}
	if origin := s.value(`remote "origin"`, "url"); origin != "" || len(names) != 1 {
		return origin
	}
	return s.value(`remote "`+names[0]+`"`, "url")
}

// localPath returns the path of a remote on this computer.
func localPath(address, from string) (path string, isLocal bool) {
	path, isURL := strings.CutPrefix(address, "file://")
	if !isURL && (strings.Contains(address, "://") || hasHost(address)) {
		return "", false
	}
	return filepath.Clean(under(from, filepath.FromSlash(path))), true
}

// hasHost reports whether an address has the form host:path. One letter before the colon is a drive of Windows.
func hasHost(address string) bool {
	host, _, found := strings.Cut(address, ":")
	return found && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}

// remoteID returns the host and the path of a remote: without the protocol, the user, the password and the port, which
// differ between people who use the same repository.
func remoteID(address string) string {
	_, rest, isURL := strings.Cut(address, "://")
	if !isURL {
		host, path, _ := strings.Cut(address, ":")
		rest = host + "/" + path
	}
	host, path, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	return shortID(strings.ToLower(host + "/" + path))
}

// shortID returns an id, or a hash of it if it cannot be used as it is. Hooks link this package, and crypto would make them
// 200 KB larger.
func shortID(id string) string {
	if len(id) <= guideline.MaxProjectID && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl) {
		return id
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id))
	return "project-" + strconv.FormatUint(sum.Sum64(), 16)
}
