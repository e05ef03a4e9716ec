package intake

import (
	"strconv"

	"guardrails/internal/document"
)

// The limits of a record's further facts. maxDetails is their largest size in bytes. If the facts are larger, only the
// first fields are kept, with the beginning of each text and list.
const (
	maxDetails = 16 << 10
	maxFields  = 24
	maxValue   = 500
	// maxFired is the largest size of the events that policies fired. Webhooks and cooldowns depend on these events, so
	// the events are kept if the entry fits into the store.
	maxFired = 20 << 10
)

// most() returns the largest size that is allowed for a field.
func most(name string) int {
	if name == "events" || name == "fired" {
		return maxFired
	}
	return maxValue
}

// shortened() returns the beginning of the facts. The mode and the scores are short, so they stay as they are.
func shortened(n *document.Node) *document.Node {
	out := &document.Node{Kind: document.Object}
	for _, f := range n.Fields[:min(len(n.Fields), maxFields)] {
		value := *f.Value
		value.Text = clipped(value.Text, maxValue)
		value.Items = value.Items[:fitting(value.Items, most(f.Name))]
		if sizeOf(&value) <= 2*most(f.Name) {
			out.Fields = append(out.Fields, document.Field{Name: clipped(f.Name, maxValue), Value: &value})
		}
	}
	left := &document.Node{Kind: document.Bool, Text: strconv.FormatBool(true)}
	out.Fields = append(out.Fields, document.Field{Name: "shortened", Value: left})
	return out
}

// fitting() returns how many of the items fit into the given size together, counted from the first item.
func fitting(items []*document.Node, most int) int {
	size := 0
	for i, item := range items {
		if size += sizeOf(item); size > most {
			return i
		}
	}
	return len(items)
}

// sizeOf returns the approximate number of bytes that a value has as JSON.
func sizeOf(n *document.Node) int {
	size := len(n.Text) + 4
	for _, item := range n.Items {
		size += sizeOf(item)
	}
	for _, f := range n.Fields {
		size += len(f.Name) + 4 + sizeOf(f.Value)
	}
	return size
}
