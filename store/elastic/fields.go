package elastic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// properties has the fields of a mapping by name. Each field can have fields of its own.
type properties map[string]struct {
	Properties properties `json:"properties"`
}

// lacks reports whether p lacks any of the wanted fields.
func (p properties) lacks(wanted properties) bool {
	for name, field := range wanted {
		if have, ok := p[name]; !ok || have.Properties.lacks(field.Properties) {
			return true
		}
	}
	return false
}

// addFields adds the fields of a layout that an index of an earlier program does not have. An index refuses documents
// that have unknown fields.
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
