package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The formats of bodies.
const (
	FormatJSON    = "json"
	FormatSlack   = "slack"
	FormatDiscord = "discord"
)

// Formats returns the names of all formats.
func Formats() []string { return []string{FormatJSON, FormatSlack, FormatDiscord} }

// Write returns the body for an endpoint with the given format. The parameter "body" is the event as a JSON
// envelope.
func Write(format, body string) []byte {
	switch format {
	case FormatSlack:
		return encode(slackMessage(newMessage(body)))
	case FormatDiscord:
		return encode(discordMessage(newMessage(body)))
	}
	return []byte(body)
}

// A message is an event for people.
type message struct {
	title string
	facts []fact
}

type fact struct{ name, value string }

// newMessage returns a message for people about the event in an envelope. The message has the values that are not
// empty.
func newMessage(body string) message {
	var e envelope
	if json.Unmarshal([]byte(body), &e) != nil {
		return message{title: "guardrails"} // impossible: the body is an envelope
	}
	m := message{title: titleOf(e.Event)}
	m.add("event", e.Event)
	dec := json.NewDecoder(bytes.NewReader(e.Data))
	dec.UseNumber()
	_, _ = dec.Token() // the data is an object
	for dec.More() {
		name, _ := dec.Token()
		var value any
		if dec.Decode(&value) != nil {
			break
		}
		m.add(fmt.Sprint(name), value)
	}
	m.add("tenant_id", e.Tenant)
	m.add("timestamp", e.Time.Format("2006-01-02 15:04:05Z"))
	return m
}

func (m *message) add(name string, value any) {
	shown := ""
	switch v := value.(type) {
	case nil:
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = fmt.Sprint(v[i])
		}
		shown = strings.Join(items, ", ")
	default:
		shown = fmt.Sprint(v)
	}
	if shown != "" {
		m.facts = append(m.facts, fact{strings.ReplaceAll(name, "_", " "), oneLine(shown)})
	}
}

func titleOf(event string) string {
	switch event {
	case SafetyBlocked:
		return "The safety gate blocked a message"
	case SafetyHold:
		return "The safety gate asks you to look at a message"
	case SafetyObserved:
		return "The safety gate would have acted on a message"
	case OutputIntervened:
		return "The output guard replaced an answer"
	case DecisionDenied:
		return "A tool call was denied"
	case DecisionAsked:
		return "A person was asked about a tool call"
	case Test:
		return "Test of a webhook of guardrails"
	}
	return "guardrails: " + event
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// escaped() returns at most n characters of a text after escaping. It never cuts in the middle of an escaped character.
func escaped(s string, n int, escape func(rune) string) string {
	var out strings.Builder
	size, fits := 0, 0
	for _, r := range s {
		one := escape(r)
		if size += utf8.RuneCountInString(one); size > n {
			return out.String()[:fits] + "…"
		}
		out.WriteString(one)
		if size < n {
			fits = out.Len()
		}
	}
	return out.String()
}

// The limits of Slack, in characters.
const (
	slackHeader  = 150
	slackSection = 3000
)

type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// If Verbatim is set, Slack makes no links and mentions out of the text.
	Verbatim bool `json:"verbatim,omitempty"`
}

type slackBlock struct {
	Type string    `json:"type"`
	Text slackText `json:"text"`
}

type slack struct {
	Text        string       `json:"text"`
	Blocks      []slackBlock `json:"blocks"`
	UnfurlLinks bool         `json:"unfurl_links"`
	UnfurlMedia bool         `json:"unfurl_media"`
}

func slackMessage(m message) slack {
	var lines []string
	for _, f := range m.facts {
		lines = append(lines, "*"+escaped(f.name, slackHeader, slackEscape)+":* "+escaped(f.value, slackHeader*4, slackEscape))
	}
	body := ""
	for _, line := range lines {
		if utf8.RuneCountInString(body)+utf8.RuneCountInString(line)+1 > slackSection {
			break
		}
		body += line + "\n"
	}
	return slack{
		Text: escaped(m.title, slackHeader, slackEscape),
		Blocks: []slackBlock{
			{"header", slackText{Type: "plain_text", Text: first(m.title, slackHeader)}},
			{"section", slackText{"mrkdwn", strings.TrimSuffix(body, "\n"), true}},
		},
	}
}

func slackEscape(r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '*', '_', '~', '`':
		return string([]rune{wordJoiner, r, wordJoiner}) // otherwise, r would change the look of the text
	}
	return string(r)
}

// wordJoiner is invisible. Next to this character, other characters have no special meaning for Slack and Discord.
const wordJoiner = '\u2060'

// The limits of Discord, in characters.
const (
	discordTitle  = 256
	discordName   = 256
	discordValue  = 1024
	discordFields = 25
	discordAll    = 6000
)

type discordField struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Inline bool   `json:"inline"`
}

type discordEmbed struct {
	Title  string         `json:"title"`
	Fields []discordField `json:"fields"`
}

type discord struct {
	Embeds          []discordEmbed  `json:"embeds"`
	AllowedMentions discordMentions `json:"allowed_mentions"`
}

// discordMentions is the part of a message that tells Discord to notify nobody who is mentioned in the text.
type discordMentions struct {
	Parse []string `json:"parse"`
}

func discordMessage(m message) discord {
	e := discordEmbed{Title: escaped(m.title, discordTitle, discordEscape), Fields: []discordField{}}
	size := utf8.RuneCountInString(e.Title)
	for _, f := range m.facts {
		field := discordField{
			Name: escaped(f.name, discordName, discordEscape), Value: escaped(f.value, discordValue, discordEscape), Inline: true,
		}
		size += utf8.RuneCountInString(field.Name) + utf8.RuneCountInString(field.Value)
		if size > discordAll || len(e.Fields) == discordFields {
			break
		}
		e.Fields = append(e.Fields, field)
	}
	return discord{[]discordEmbed{e}, discordMentions{[]string{}}}
}

func discordEscape(r rune) string {
	switch {
	case strings.ContainsRune("\\*_~`|[]()<>#", r):
		return `\` + string(r)
	case r == ':' || r == '@':
		return string([]rune{r, wordJoiner}) // so that Discord does not turn the text into a link or a mention
	}
	return string(r)
}
