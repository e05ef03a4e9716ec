package config

import (
	"path/filepath"
	"strings"

	"guardrails/guideline/document"
)

// Store is where guidelines, their history and the audit are kept.
type Store struct {
	// Path is the file of a SQLite database; empty where the store is Elasticsearch.
	Path string
	// Addresses are the URLs of an Elasticsearch cluster's nodes.
	Addresses []string
}

// The schemes of a store.
const (
	sqliteScheme  = "sqlite:"
	elasticScheme = "elasticsearch:"
)

// readStore takes sqlite:PATH or elasticsearch:URL,URL.
func (c *Config) readStore(d *document.Decoder, n *document.Node, at string) {
	before := len(d.Problems)
	text := d.String(n, at, false)
	if len(d.Problems) > before {
		return
	}
	file, isFile := strings.CutPrefix(text, sqliteScheme)
	nodes, isCluster := strings.CutPrefix(text, elasticScheme)
	switch {
	case isFile && filepath.IsAbs(file):
		c.Store = &Store{Path: file}
	case isCluster && nodes != "":
		c.Store = &Store{Addresses: strings.Split(nodes, ",")}
	default:
		d.Report(n, at, "names no store", "write sqlite:/absolute/path or elasticsearch:URL")
	}
}
