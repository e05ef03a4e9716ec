package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// The type "properties" has the fields of a mapping. Its keys are the names of the fields. Each field can have fields
// of its own.
type properties map[string]struct {
	Properties properties `json:"properties"`
}

// lacks() reports whether any of the wanted fields is missing in p.
func (p properties) lacks(wanted properties) bool {
	for name, field := range wanted {
		if have, ok := p[name]; !ok || have.Properties.lacks(field.Properties) {
			return true
		}
	}
	return false
}

// addFields adds fields of a layout to an index that an earlier program created without them. An index refuses
// documents that have unknown fields.
func (s *Store) addFields(ctx context.Context, l layout, index string) error {
	var wanted properties
	if err := json.Unmarshal([]byte("{"+l.fields+"}"), &wanted); err != nil {
		return err
	}
	var found map[string]struct {
		Mappings struct {
			Properties properties `json:"properties"`
		} `json:"mappings"`
	}
	if err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{index}}
	}, &found); err != nil || !found[index].Mappings.Properties.lacks(wanted) {
		return err
	}
	return s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesPutMappingRequest{
			Index: []string{index}, Body: strings.NewReader(`{"properties": {` + l.fields + `}}`),
		}
	}, nil)
}

// remapping() compares the mapping of an index with its layout. If somebody has changed the mapping, the result
// describes the change. Otherwise, the result is "". With a changed mapping, searches may find the wrong documents.
func (s *Store) remapping(ctx context.Context, l layout) (string, error) {
	var wanted map[string]any
	if err := json.Unmarshal([]byte("{"+l.fields+"}"), &wanted); err != nil {
		return "", err
	}
	var found map[string]struct {
		Mappings map[string]any `json:"mappings"`
	}
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{s.indices.name(l.index)}}
	}, &found)
	for index, of := range found {
		if part := changedPart(of.Mappings, wanted); part != "" {
			return fmt.Sprintf("somebody changed %s in the mapping of the index %s, "+
				"so searches may find the wrong documents", part, index), err
		}
	}
	return "", err
}

// changedPart compares a mapping with the mapping that guardrails makes. It returns the first part that differs, or "".
func changedPart(mapping, wanted map[string]any) string {
	for part, value := range mapping {
		fields, _ := value.(map[string]any)
		switch {
		case part == "_meta" || part == "dynamic" && value == "strict":
		case part == "properties":
			if name := changedField(fields, wanted); name != "" {
				return "the field " + name
			}
		default:
			return part
		}
	}
	return ""
}

// changedField returns the name of a field that differs from the wanted field, or "". Missing fields and additional
// fields are not differences: an index from an earlier program may lack fields, and an index from a later program may
// have more of them.
func changedField(have, wanted map[string]any) string {
	for name, field := range have {
		of, _ := field.(map[string]any)
		want, _ := wanted[name].(map[string]any)
		within, _ := of["properties"].(map[string]any)
		inner, isObject := want["properties"].(map[string]any)
		switch {
		case want == nil:
		case isObject:
			if changed := changedField(within, inner); changed != "" {
				return name + "." + changed
			}
		case !reflect.DeepEqual(of, want):
			return name
		}
	}
	return ""
}
