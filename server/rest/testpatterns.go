package rest

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf16"

	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
	"guardrails/service"
	"guardrails/service/tools"
)

// The largest numbers of patterns, paths and calls in one test.
const (
	maxGlobs, maxPaths        = 100, 1000
	maxToolPatterns, maxCalls = 50, 50
)

// testedPattern is a pattern. If the pattern is invalid, Error says why.
type testedPattern struct {
	Pattern string        `json:"pattern"`
	Error   *patternError `json:"error,omitempty"`
}

type patternError struct {
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

func tested(text string, err error) testedPattern {
	if wrong, ok := errors.AsType[*pattern.Error](err); ok {
		return testedPattern{text, &patternError{wrong.Message, wrong.Remedy}}
	}
	return testedPattern{Pattern: text}
}

type testedPath struct {
	Path    string   `json:"path"`
	Matched bool     `json:"matched"`
	By      []string `json:"by"`
	Part    *part    `json:"part,omitempty"`
}

// The type "part" marks a piece of a text. Start and End count UTF-16 code units, as browsers do.
type part struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

func (c *call) testPaths() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	var globs, paths []string
	d.Object(n, "", []document.Spec{
		{Name: "patterns", Required: true, Read: func(n *document.Node, at string) { globs = textsIn(d, n, at, maxGlobs) }},
		{Name: "paths", Required: true, Read: func(n *document.Node, at string) { paths = textsIn(d, n, at, maxPaths) }},
	})
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	shown, compiled := []testedPattern{}, []*pattern.Glob{}
	for _, text := range globs {
		g, err := pattern.CompileGlob(text)
		shown = append(shown, tested(text, err))
		if err == nil {
			compiled = append(compiled, g)
		}
	}
	out := []testedPath{}
	for _, path := range paths {
		out = append(out, matchPath(compiled, path))
	}
	return c.say(http.StatusOK, struct {
		Patterns []testedPattern `json:"patterns"`
		Paths    []testedPath    `json:"paths"`
	}{shown, out})
}

// textsIn reads a list with at most the given number of texts.
func textsIn(d *document.Decoder, n *document.Node, at string, most int) []string {
	out := []string{}
	if d.UpTo(n, at, most, "test fewer at once") {
		for i, item := range n.Items {
			out = append(out, d.Text(item, document.Index(at, i)))
		}
	}
	return out
}

func matchPath(globs []*pattern.Glob, path string) testedPath {
	out := testedPath{Path: path, By: []string{}}
	for _, g := range globs {
		if !g.Match(path) {
			continue
		}
		if !out.Matched {
			out.Part = shared(g.String(), path)
		}
		out.Matched, out.By = true, append(out.By, g.String())
	}
	return out
}

// shared() compares a path with the beginning of a glob, up to the glob's first wildcard, and returns the part of the
// path that equals this beginning. If the path begins differently, it returns nil.
func shared(glob, path string) *part {
	literal, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(glob, "?", "*"), "[", "*"), "{", "*"), "*")
	if literal == "" || !strings.HasPrefix(path, literal) {
		return nil
	}
	return &part{0, len(utf16.Encode([]rune(literal)))}
}

type testedCall struct {
	Tool    string          `json:"tool"`
	Matched bool            `json:"matched"`
	By      []string        `json:"by"`
	Effects []effect.Effect `json:"effects"`
}

// testedTool is a pattern with a set. The set has a single guideline, which denies the calls that the pattern matches.
type testedTool struct {
	pattern string
	set     *evaluator.Set
}

func (c *call) testTools() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	var patterns []string
	var calls []service.CallRequest
	d.Object(n, "", []document.Spec{
		{Name: "patterns", Required: true, Read: func(n *document.Node, at string) { patterns = textsIn(d, n, at, maxToolPatterns) }},
		{Name: "calls", Required: true, Read: func(n *document.Node, at string) {
			if !d.UpTo(n, at, maxCalls, "test fewer at once") {
				return
			}
			for i, item := range n.Items {
				calls = append(calls, tools.ReadCall(d, item, document.Index(at, i)))
			}
		}},
	})
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	shown, usable, err := denying(patterns)
	if err != nil {
		return err
	}
	out := []testedCall{}
	for i := range calls {
		out = append(out, matchCall(usable, &calls[i]))
	}
	return c.say(http.StatusOK, struct {
		Patterns []testedPattern `json:"patterns"`
		Calls    []testedCall    `json:"calls"`
	}{shown, out})
}

// denying() returns two lists. The list "shown" says for each pattern whether it is valid. The list "usable" has only
// the valid patterns, each with a set of one guideline that denies the tools of the pattern.
func denying(patterns []string) (shown []testedPattern, usable []testedTool, err error) {
	shown = []testedPattern{}
	for _, text := range patterns {
		_, wrong := pattern.CompileTool(text)
		shown = append(shown, tested(text, wrong))
		if wrong != nil {
			continue
		}
		set, err := evaluator.Compile([]guideline.Guideline{{
			ID: "pattern", Name: "pattern", Enabled: true, Category: guideline.Custom,
			Action: guideline.Action{Type: guideline.ToolRestriction, ToolsDenied: []string{text}},
		}})
		if err != nil {
			return nil, nil, err
		}
		usable = append(usable, testedTool{text, set})
	}
	return shown, usable, nil
}

// matchCall judges a call with each pattern, without looking at any files.
func matchCall(patterns []testedTool, r *service.CallRequest) testedCall {
	call := toolcall.Analyze(&toolcall.Env{}, r.Tool, r.Input)
	out := testedCall{Tool: r.Tool, By: []string{}, Effects: call.Effects}
	if out.Effects == nil {
		out.Effects = []effect.Effect{}
	}
	for _, p := range patterns {
		if explain.Call([]decide.Layer{{Set: p.set}}, call, decide.Facts{}).Decision == decide.Deny {
			out.Matched, out.By = true, append(out.By, p.pattern)
		}
	}
	return out
}
