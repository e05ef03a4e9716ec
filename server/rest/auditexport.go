package rest

import (
	"bufio"
	"io"
	"net/http"

	"guardrails/store/auditexport"
)

// exportAudit sends all audit entries that match the filter. The oldest entries come first.
func (c *call) exportAudit() error {
	if !c.h.exports.Enter(c.caller) {
		return busy("too many exports are running; try again later")
	}
	defer c.h.exports.Leave(c.caller)
	write, contentType, name := auditexport.Lines, typeLines, "audit.jsonl"
	if c.query.Text("format") == formatCSV {
		write, contentType, name = auditexport.CSV, typeCSV, "audit.csv"
	}
	if err := c.checkAccepted(contentType); err != nil {
		return err
	}
	tenantStore, err := c.auditStore()
	if err != nil {
		return err
	}
	entries := tenantStore.Entries(c.r.Context(), c.auditFilter())
	s := c.begin(contentType, name)
	if c.r.Method == http.MethodHead {
		return nil
	}
	out := bufio.NewWriterSize(s, pieceSize)
	// The struct hides the other methods of the buffer. Otherwise, if an entry cannot be read, the csv package would flush
	// the buffer before the API can report the failure.
	if err := write(struct{ io.Writer }{out}, entries); err != nil {
		return s.end(err)
	}
	return s.end(out.Flush())
}

const (
	formatCSV   = "csv"
	formatLines = "jsonl"
)
