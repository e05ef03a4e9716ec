package rest

import (
	"bufio"
	"io"
	"net/http"

	"guardrails/store/table"
)

// exportAudit sends all entries of the audit that match the filter, oldest first.
func (c *call) exportAudit() error {
	if !c.h.exports.enter(c.caller) {
		return busy("too many exports are running; try again later")
	}
	defer c.h.exports.leave(c.caller)
	write, contentType, name := table.Lines, typeLines, "audit.jsonl"
	if c.query.text("format") == formatCSV {
		write, contentType, name = table.CSV, typeCSV, "audit.csv"
	}
	if err := c.takes(contentType); err != nil {
		return err
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	entries := tenantStore.Entries(c.r.Context(), c.auditFilter())
	s := c.begin(contentType, name)
	if c.r.Method == http.MethodHead {
		return nil
	}
	out := bufio.NewWriterSize(s, pieceSize)
	// The struct hides the buffer's other methods. Otherwise, csv would flush the buffer after a failure, before the
	// failure is reported.
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
