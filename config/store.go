package config

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// Store names the store with the guidelines, their history and the audit: an SQLite database or an Elasticsearch
// cluster.
type Store struct {
	// Path is the path of an SQLite database. The path is absolute or begins with ~/. Path is empty for Elasticsearch.
	Path string
	// Addresses lists the URLs of the cluster's nodes.
	Addresses []string
	// CAFile has the certificates of the authorities that have signed the certificates of the nodes. If it is empty,
	// the system's authorities are used.
	CAFile string
	// A login needs either Username and PasswordFile, or APIKeyFile.
	Username, PasswordFile, APIKeyFile string
	// IndexPrefix is the beginning of the name of every index.
	IndexPrefix string
	// Timeout is how long a node may take to answer; 0 means the driver's default.
	Timeout time.Duration
}

const (
	sqliteScheme  = "sqlite:"
	elasticScheme = "elasticsearch:"
)

// clusterVariable is the name of the environment variable with the URL of an Elasticsearch cluster. This cluster is
// used if the settings name no store.
const clusterVariable = product.VariableCluster

// String returns the store's name without secrets, as in sqlite:PATH.
func (s *Store) String() string {
	if s.Path != "" {
		return sqliteScheme + s.Path
	}
	return elasticScheme + strings.Join(s.Addresses, ",")
}

// readStore reads the setting "store". If a part of the setting is invalid, readStore drops the whole setting, because
// the valid parts could name the wrong store.
func (c *Config) readStore(d *document.Decoder, n *document.Node, at string) {
	before := len(d.Problems)
	s := &Store{}
	if n.Kind == document.Object {
		s.readCluster(d, n, at)
	} else {
		s.readName(d, n, at)
	}
	if len(d.Problems) == before {
		c.Store = s
	}
}

// readName reads a store's name, which has the form sqlite:PATH or elasticsearch:URL,URL.
func (s *Store) readName(d *document.Decoder, n *document.Node, at string) {
	before := len(d.Problems)
	text := d.String(n, at, false)
	if len(d.Problems) > before {
		return
	}
	file, isFile := strings.CutPrefix(text, sqliteScheme)
	nodes, isCluster := strings.CutPrefix(text, elasticScheme)
	switch {
	case isFile:
		s.Path = file
		if !ownPath(file) || strings.HasSuffix(file, "/") {
			d.Report(n, at, document.Excerpt(file)+" is not the path of a file", "begin it with / or ~/")
		}
	case isCluster:
		s.Addresses = strings.Split(nodes, ",")
		checkNodes(d, n, at, s.Addresses)
	default:
		d.Report(n, at, "names no store", "write sqlite:PATH or elasticsearch:URL")
	}
}

func (s *Store) readCluster(d *document.Decoder, n *document.Node, at string) {
	before := len(d.Problems)
	file := func(into *string) func(*document.Node, string) {
		return func(n *document.Node, at string) { *into = readTokenFile(d, n, at) }
	}
	d.Object(n, at, []document.Spec{
		{Name: "addresses", Required: true, Read: func(n *document.Node, at string) { s.readAddresses(d, n, at) }},
		{Name: "ca_file", Read: file(&s.CAFile)},
		{Name: "username", Read: func(n *document.Node, at string) { s.Username = d.String(n, at, false) }},
		{Name: "password_file", Read: file(&s.PasswordFile)},
		{Name: "api_key_file", Read: file(&s.APIKeyFile)},
		{Name: "index_prefix", Read: func(n *document.Node, at string) { s.IndexPrefix = readPrefix(d, n, at) }},
		{Name: "timeout", Read: func(n *document.Node, at string) {
			s.Timeout = time.Duration(d.Int(n, at, 1, maxTimeout)) * time.Second
		}},
	})
	switch {
	case len(d.Problems) > before:
	case (s.Username == "") != (s.PasswordFile == ""):
		d.Report(n, at, "has only one of username and password_file", "give both, or api_key_file")
	case s.Username != "" && s.APIKeyFile != "":
		d.Report(n, at, "has two ways to log in", "keep either username and password_file, or api_key_file")
	}
}

// maxTimeout is the longest timeout in seconds.
const maxTimeout = 60

func (s *Store) readAddresses(d *document.Decoder, n *document.Node, at string) {
	before := len(d.Problems)
	s.Addresses = d.Strings(n, at)
	if len(d.Problems) == before {
		checkNodes(d, n, at, s.Addresses)
	}
}

// checkNodes reports an address that contains a user name or is not the URL of a node.
func checkNodes(d *document.Decoder, n *document.Node, at string, nodes []string) {
	if len(nodes) == 0 {
		d.Report(n, at, "names no node", "write http://host:9200")
	}
	for _, node := range nodes {
		u, err := url.Parse(node)
		switch {
		case strings.Contains(node, "@"):
			d.Report(n, at, "has a user name in an address", "remove it, and write username and password_file")
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" ||
			u.ForceQuery || strings.Contains(node, "#"):
			d.Report(n, at, document.Excerpt(node)+" is not the address of a node", "write http://host:9200")
		}
	}
}

func readPrefix(d *document.Decoder, n *document.Node, at string) string {
	before := len(d.Problems)
	prefix := d.String(n, at, false)
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(d.Problems) == before && (len(prefix) > 60 || strings.Trim(prefix, letters) != "" ||
		strings.IndexAny(prefix, "-_") == 0) {
		d.Report(n, at, document.Excerpt(prefix)+" is not a valid prefix of an index name", "use small letters, digits, "+
			"hyphens and underscores, and begin with a letter or digit")
	}
	return prefix
}

// readClusterVariable returns the store that is named in the environment variable clusterVariable. It returns nil if
// the variable is not set.
func readClusterVariable(env func(string) string) (*Store, document.Problems) {
	text := env(clusterVariable)
	if text == "" {
		return nil, nil
	}
	s := &Store{Addresses: slices.Collect(strings.SplitSeq(text, ","))}
	d := &document.Decoder{File: clusterVariable}
	checkNodes(d, &document.Node{Kind: document.String}, "", s.Addresses)
	if len(d.Problems) > 0 {
		return nil, d.Problems
	}
	return s, nil
}

// ownPath reports whether a path is absolute or begins with ~/. Such a path does not depend on the current folder.
func ownPath(name string) bool { return filepath.IsAbs(name) || strings.HasPrefix(name, "~/") }
