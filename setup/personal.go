package setup

import (
	"strconv"
	"strings"

	"guardrails/config"
	"guardrails/internal/document"
)

// Personal has a person's answers to the questions about detectors. The names in Detectors are keys of the setting
// "detectors".
type Personal struct {
	Detectors []Switch
	// Mask is set if personal data is masked on the screen.
	Mask bool
}

// Switch says whether to switch a detector on or off.
type Switch struct {
	Name string
	On   bool
}

// WritePersonal returns the text of the user's settings with the answers of a person. The rest of the text stays as it
// is. If a detector is already on and the person does not switch it off, the detector keeps its mode.
func WritePersonal(file string, text []byte, p *Personal) ([]byte, error) {
	c := &configText{file: file, text: text}
	if text == nil {
		c.text = []byte(personalHead)
	}
	if err := c.parse(); err != nil {
		return nil, err
	}
	detectors := &document.Node{Kind: document.Object}
	if have := c.root.Field("detectors"); have != nil && have.Kind == document.Object {
		detectors.Fields = append(detectors.Fields, have.Fields...)
	}
	for _, s := range p.Detectors {
		setMode(detectors, s)
	}
	if err := c.edit("detectors", detectors, ""); err != nil {
		return nil, err
	}
	mask := &document.Node{Kind: document.Object}
	setField(mask, "mask", map[bool]string{true: "on", false: config.Off}[p.Mask])
	if err := c.edit("display", mask, ""); err != nil {
		return nil, err
	}
	return c.text, nil
}

// WriteSafety returns the text of the user's settings with the mode of the safety gate. The rest of the text stays as
// it is. If the gate has the mode "enforce" and the person does not switch it off, the gate keeps this mode.
func WriteSafety(file string, text []byte, mode string) ([]byte, error) {
	c := &configText{file: file, text: text}
	if text == nil {
		c.text = []byte(personalHead)
	}
	if err := c.parse(); err != nil {
		return nil, err
	}
	safety := &document.Node{Kind: document.Object}
	if have := c.root.Field("safety"); have != nil && have.Kind == document.Object {
		safety.Fields = append(safety.Fields, have.Fields...)
	}
	if have := safety.Field("mode"); mode == config.Off || have == nil || have.Text != config.Enforce {
		setField(safety, "mode", mode)
	}
	err := c.edit("safety", safety, "")
	return c.text, err
}

const personalHead = "# Your settings of guardrails. docs/settings.md explains them.\n"

func setMode(detectors *document.Node, s Switch) {
	mode := config.Off
	if s.On {
		mode = config.Note
		if have := detectors.Field(s.Name); have != nil && (have.Text == config.Ask || have.Text == config.Counter) {
			mode = have.Text
		}
	}
	setField(detectors, s.Name, mode)
}

// setField sets a field of an object. The new value is a text.
func setField(object *document.Node, name, text string) {
	value := &document.Node{Kind: document.String, Text: text}
	for i := range object.Fields {
		if object.Fields[i].Name == name {
			object.Fields[i].Value = value
			return
		}
	}
	object.Fields = append(object.Fields, document.Field{Name: name, Value: value})
}

// inBraces writes an object on one line.
func inBraces(object *document.Node) string {
	var fields []string
	for _, f := range object.Fields {
		text := f.Value.Text
		switch {
		case f.Value.Kind == document.Object:
			text = inBraces(f.Value)
		case f.Value.Kind == document.String && !isWord(text):
			text = strconv.Quote(text)
		}
		fields = append(fields, f.Name+": "+text)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func isWord(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == ""
}
