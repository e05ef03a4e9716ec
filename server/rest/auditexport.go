package rest

import (
	"bufio"
	"io"
	"net/http"

	"guardrails/store/table"
)

// exportAudit gives every entry of the audit that passes the filter, oldest first.
func (c *call) exportAudit() error {
	if !c.h.exports.enter(c.caller) {
		return busy("too many exports are under way; ask again later")
	}
	defer c.h.exports.leave(c.caller)
	write, contentType, name := table.Lines, typeLines, "audit.jsonl"
	if c.query.text("format") == formatCSV {
		write, contentType, name = table.CSV, typeCSV, "audit.csv"
	}
	if err := c.takes(contentType); err != nil {
		return err
	}
	book, err := c.book()
	if err != nil {
		return err
	}
	entries := book.Entries(c.r.Context(), c.auditFilter())
	s := c.begin(contentType, name)
	if c.r.Method == http.MethodHead {
		return nil
	}
	out := bufio.NewWriterSize(s, pieceSize)
	// A writer of rows that knew of the buffer would flush it before it tells of a failure.
	if err := write(struct{ io.Writer }{out}, entries); err != nil {
		return s.end(err)
	}
	return s.end(out.Flush())
}

// The formats of an exported audit.
const (
	formatCSV   = "csv"
	formatLines = "jsonl"
)
