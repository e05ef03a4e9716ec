package rest

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
)

// export() sends guidelines as JSON, which can be imported, or as a YAML file for a project.
func (c *call) export() error {
	write, contentType, name := writeList, typeJSON, "guidelines.json"
	if c.query.Text("format") == formatYAML {
		write, contentType, name = writeFile, typeYAML, "guidelines.yaml"
	}
	if err := c.checkAccepted(contentType); err != nil {
		return err
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	set, err := tenantStore.All(c.r.Context())
	if err != nil {
		return err
	}
	list, err := c.exported(set.Guidelines)
	if err != nil {
		return err
	}
	s := c.begin(contentType, name)
	return s.end(write(s, list))
}

const (
	formatJSON = "json"
	formatYAML = "yaml"
)

// exported() returns the guidelines that match the query. It removes the tenant from them.
func (c *call) exported(all []guideline.Guideline) ([]guideline.Guideline, error) {
	filter, ids := c.filter(), map[string]bool{}
	for id := range strings.SplitSeq(c.query.Text("id"), ",") {
		ids[strings.TrimSpace(id)] = false
	}
	named := c.query.Text("id") != ""
	out := make([]guideline.Guideline, 0, len(all))
	for i := range all {
		g := all[i]
		if named && !found(ids, g.ID, g.ProjectID+"/"+g.ID) {
			continue
		}
		if filter.Matches(&g) {
			g.TenantID = ""
			out = append(out, g)
		}
	}
	for id, isThere := range ids {
		if named && !isThere {
			return nil, invalid(document.Problems{{
				Path: "id", Message: "there is no guideline " + document.Excerpt(id), Remedy: "remove it from the list",
			}})
		}
	}
	return out, nil
}

// The caller can ask for a guideline by its id in two spellings: ID or PROJECT/ID. The parameter "names" has both
// spellings of one guideline. found() marks the spellings that the caller used, and reports whether the caller used any
// of them.
func found(asked map[string]bool, names ...string) (is bool) {
	for _, name := range names {
		if _, has := asked[name]; has {
			asked[name], is = true, true
		}
	}
	return is
}

// writeFile writes guidelines as YAML, in the form of a file in a project.
func writeFile(to io.Writer, list []guideline.Guideline) error {
	text, err := rules.YAMLSet(list)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

const pieceSize = 64 << 10

// writeList writes guidelines as JSON, in the form that an import accepts.
func writeList(to io.Writer, list []guideline.Guideline) error {
	out := bufio.NewWriterSize(to, pieceSize)
	before := "["
	for i := range list {
		if err := writeItem(out, before+"\n", &list[i]); err != nil {
			return err
		}
		before = ","
	}
	if len(list) == 0 {
		_, _ = out.WriteString(before) // Flush reports a failure
	}
	_, _ = out.WriteString("]\n")
	return out.Flush()
}

func writeItem(out *bufio.Writer, before string, g *guideline.Guideline) error {
	text, err := json.Marshal(viewOf(g))
	if err != nil {
		return err
	}
	_, err = out.WriteString(before + string(text))
	return err
}
