package mcp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// The type "notifier" tells a client when guidelines or the list of tools have changed.
type notifier struct {
	pipe *pipe
	// The field "ready" is set after the client has said that it accepts notifications.
	ready bool
	// The field "listed" is the list of tools as the client knows it.
	listed []byte
}

// read() checks whether a message says that the client accepts notifications.
func (n *notifier) read(message []byte) {
	const initialized = "notifications/initialized"
	if n.ready || !bytes.Contains(message, []byte(initialized)) {
		return
	}
	var m struct {
		Method string `json:"method"`
	}
	n.ready = json.Unmarshal(message, &m) == nil && m.Method == initialized
}

// notify() tells the client that the guidelines have changed. If the list of tools has changed, the method tells the
// client about this change too.
func (n *notifier) notify(ctx context.Context) {
	if !n.ready {
		return
	}
	now := n.pipe.listedTools(ctx)
	n.send(mcp.MethodNotificationResourcesListChanged)
	if !bytes.Equal(now, n.listed) {
		n.listed = now
		n.send(mcp.MethodNotificationToolsListChanged)
	}
}

func (n *notifier) send(method string) {
	n.pipe.write([]byte(`{"jsonrpc":"2.0","method":"` + method + "\"}\n"))
}

// listedTools returns the list of tools that the client would get now. If the server sends no notifications, the list
// is empty.
func (p *pipe) listedTools(ctx context.Context) []byte {
	if p.server.changed == nil {
		return nil
	}
	list := []byte(`{"jsonrpc":"2.0","id":0,"method":"` + string(mcp.MethodToolsList) + `"}`)
	text, err := json.Marshal(p.server.library.HandleMessage(ctx, list))
	if err != nil {
		p.fail(err)
	}
	return text
}
