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

// maxClones limits how many local clones ProjectID follows. A clone can be a clone of another clone.
const maxClones = 4

// ProjectID returns an id that all clones and worktrees of a project's repository share: the address of the remote,
// such as github.com/acme/shop. Without a repository or without a remote, it returns a path. ProjectID reads Git's
// files and does not start git.
func ProjectID(root string) string {
	at := filepath.Clean(root)
	for range maxClones {
		common := string(gitFoldersOf(at).common)
		if common == "" {
			break
		}
		// The common folder of a bare repository is the repository itself.
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

// ProjectIDFiles returns the files that ProjectID reads first. If one of them changes, the id may change.
func ProjectIDFiles(root string) []string {
	common := string(gitFoldersOf(root).common)
	if common == "" {
		return nil
	}
	return []string{filepath.Join(common, "config")}
}

// address() returns the address of the remote named origin. Without this remote, it returns the address of the only
// remote. If there are several remotes or none, it returns "".
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

// localPath returns the path of a remote that is a folder on this computer. For other remotes, isLocal is false.
func localPath(address, from string) (path string, isLocal bool) {
	path, isURL := strings.CutPrefix(address, "file://")
	if !isURL && (strings.Contains(address, "://") || hasHost(address)) {
		return "", false
	}
	return filepath.Clean(under(from, filepath.FromSlash(path))), true
}

// hasHost reports whether an address has the form host:path. A single letter before the colon is a Windows drive, not a
// host.
func hasHost(address string) bool {
	host, _, found := strings.Cut(address, ":")
	return found && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}

// remoteID returns the host and the path of a remote. It leaves out the protocol, the user, the password and the
// port, because these can be different in two clones of the same repository.
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

// shortID returns an id unchanged, or a hash of it if it is too long or has invalid characters. The hash does not come
// from Go's package crypto, because package crypto would add 200 KB to the hooks, which link package host.
func shortID(id string) string {
	if len(id) <= guideline.MaxProjectID && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl) {
		return id
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id))
	return "project-" + strconv.FormatUint(sum.Sum64(), 16)
}
