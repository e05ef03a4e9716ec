package rest_test

import (
	"net/http"
	"strings"
	"testing"

	detectors "guardrails/detect/contract"
	"guardrails/internal/fortests/detectorcases"
)

func TestDetectorsAnswerOverRESTAsTheContractSays(t *testing.T) {
	api := newAPI(t)
	file := detectorcases.Load(t, "../../detect/testdata/detectors.json")
	path := func(tool string) string {
		return base + "/detect/" + strings.ReplaceAll(strings.TrimPrefix(tool, "check_"), "_", "-")
	}
	for _, c := range file.Detectors {
		r := api.send(http.MethodPost, path(c.Tool), string(c.Arguments(t)))
		if len(c.ExpectError) == 0 {
			detectorcases.Check(t, c.ID, c.Expect, []byte(r.is(200).text))
			continue
		}
		r.is(400)
		for _, want := range c.ExpectError {
			if !strings.Contains(r.text, `"path":"`+want.Path+`","code":"`+want.Code+`"`) {
				t.Errorf("%s: %s, want %v", c.ID, r.text, want)
			}
		}
	}
	for _, c := range file.ToolLoops {
		r := api.send(http.MethodPost, path(detectors.ToolLoop), string(detectorcases.LoopArguments(c.Calls)))
		detectorcases.Check(t, c.ID, c.Expect, []byte(r.is(200).text))
	}
}
