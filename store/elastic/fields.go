package elastic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// properties are the fields of a mapping. A field that has fields of its own has properties too.
type properties map[string]struct {
	Properties properties `json:"properties"`
}

// lacks reports whether a wanted field is missing.
func (p properties) lacks(wanted properties) bool {
	for name, field := range wanted {
		if have, ok := p[name]; !ok || have.Properties.lacks(field.Properties) {
			return true
		}
	}
	return false
}

// addFields adds the fields of a layout that an existing index does not have, because an earlier program created it.
// An index refuses documents with unknown fields.
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
	if err := s.client.do(ctx, func() esapi.Request {
		return esapi.IndicesGetMappingRequest{Index: []string{index}}
	}, &found); err != nil || !found[index].Mappings.Properties.lacks(wanted) {
		return err
	}
	return s.client.do(ctx, func() esapi.Request {
		return esapi.IndicesPutMappingRequest{
			Index: []string{index}, Body: strings.NewReader(`{"properties": {` + l.fields + `}}`),
		}
	}, nil)
}
