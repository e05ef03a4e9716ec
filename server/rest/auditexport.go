package rest

import (
	"bufio"
	"net/http"

	"guardrails/store/table"
)

// exportAudit gives every entry of the audit that passes the filter, oldest first.
func (c *call) exportAudit() error {
	if !c.h.exports.enter() {
		return busy("too many exports are under way; ask again later")
	}
	defer c.h.exports.leave()
	book, err := c.book()
	if err != nil {
		return err
	}
	entries := book.Entries(c.r.Context(), c.auditFilter())
	write, contentType, name := table.Lines, typeLines, "audit.jsonl"
	if c.query.text("format") == formatCSV {
		write, contentType, name = table.CSV, typeCSV+"; charset=utf-8; header=present", "audit.csv"
	}
	s := c.begin(contentType, name)
	if c.r.Method == http.MethodHead {
		return nil
	}
	out := bufio.NewWriterSize(s, pieceSize)
	if err := write(out, entries); err != nil {
		return s.end(err)
	}
	return s.end(out.Flush())
}

// The formats of an exported audit.
const (
	formatCSV   = "csv"
	formatLines = "jsonl"
)
