package rest

import (
	"bufio"
	"encoding/json"

	"guardrails/guideline"
	"guardrails/rules"
)

// export gives guidelines to be kept elsewhere: as a list that an import takes, or as a file for a project.
func (c *call) export() error {
	book, err := c.book()
	if err != nil {
		return err
	}
	set, err := book.All(c.r.Context())
	if err != nil {
		return err
	}
	list := ofCategory(set.Guidelines, guideline.Category(c.query.text("category")))
	if c.query.text("format") == formatYAML {
		return c.exportFile(list)
	}
	s := c.begin(typeJSON, "guidelines.json")
	return s.end(writeList(bufio.NewWriterSize(s, pieceSize), list))
}

const (
	formatJSON = "json"
	formatYAML = "yaml"
)

// ofCategory are the guidelines of a category, or all of them, without the tenant that they are of here.
func ofCategory(all []guideline.Guideline, category guideline.Category) []guideline.Guideline {
	out := make([]guideline.Guideline, 0, len(all))
	for i := range all {
		if g := all[i]; category == "" || g.Category == category {
			g.TenantID = ""
			out = append(out, g)
		}
	}
	return out
}

func (c *call) exportFile(list []guideline.Guideline) error {
	text, err := rules.YAMLSet(list)
	if err != nil {
		return err
	}
	s := c.begin(typeYAML, "guidelines.yaml")
	_, err = s.Write(text)
	return s.end(err)
}

// pieceSize is how much of a long answer is sent at once.
const pieceSize = 64 << 10

func writeList(out *bufio.Writer, list []guideline.Guideline) error {
	before := "["
	for i := range list {
		if err := writeItem(out, before+"\n", &list[i]); err != nil {
			return err
		}
		before = ","
	}
	if len(list) == 0 {
		_, _ = out.WriteString(before) // the flush tells of a failure
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
