package safety_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/safety"
	"guardrails/internal/fortests/corpus"
)

// text is a labelled message or answer. Its label is a category, a gate, an intent, or "silent".
type text struct {
	corpus.Header
	Text        string
	UserMessage string `json:"user_message"`
	ToolsUsed   bool   `json:"tools_used"`
	Intent      string
}

const silent = "silent"

func load(t *testing.T, name string) (out []text) {
	t.Helper()
	for _, x := range corpus.Load[text](t, "testdata/corpus") {
		if strings.HasPrefix(x.ID, name+"-") {
			out = append(out, x)
		}
	}
	return out
}

func (x text) answer() *safety.Output {
	return safety.Answer(x.Text, &safety.AnswerOptions{UserMessage: x.UserMessage, ToolsRan: x.ToolsUsed})
}

func TestCorpusHasNoTwins(t *testing.T) {
	corpus.CheckTwins(t, corpus.Load[text](t, "testdata/corpus"), func(x text) string { return x.Text + " " + x.UserMessage })
}

// TestMessagesOfTheCorpus uses risky messages, everyday prompts and idioms to measure how well the check of messages
// works.
func TestMessagesOfTheCorpus(t *testing.T) {
	var categories, blocks, holds, flags, idioms corpus.Measure
	for _, x := range load(t, "message") {
		in := safety.Check(x.Text, nil)
		categories.Add(x.Header, x.Label, true, isLoud(in) && slices.Contains(in.Flags, safety.Category(x.Label)), x.Text)
	}
	for _, x := range load(t, "prompt") {
		in := safety.Check(x.Text, nil)
		blocks.Add(x.Header, "prompts", false, in.Action == safety.Block, x.Text)
		holds.Add(x.Header, "prompts", false, isLoud(in), x.Text)
		flags.Add(x.Header, "prompts", false, in.Action != safety.Proceed, x.Text)
		addSilent(&categories, x, in)
	}
	for _, x := range load(t, "idiom") {
		if !isOfMessages(x.Category) {
			continue
		}
		in := safety.Check(x.Text, nil)
		blocks.Add(x.Header, "idioms", false, in.Action == safety.Block, x.Text)
		idioms.Add(x.Header, "idioms", false, isLoud(in), x.Text)
		addSilent(&categories, x, in)
	}
	categories.Report(t, corpus.Messages(), known("messages"))
	blocks.Report(t, corpus.NoBlocks(), known("blocks"))
	holds.Report(t, corpus.PromptHolds(), known("holds"))
	flags.Report(t, corpus.PromptFlags(), known("flags"))
	idioms.Report(t, corpus.Idioms(), known("idioms"))
}

// TestFreshMessagesOfTheCorpus measures how well the check works for messages whose writers knew neither the rules nor
// other examples. Nobody may use these messages to improve the rules.
func TestFreshMessagesOfTheCorpus(t *testing.T) {
	for _, set := range []struct {
		name                           string
		messages, everyday, neighbours []corpus.Gate
	}{
		{"fresh", corpus.FreshMessages(), corpus.FreshPrompts(), corpus.FreshNeighbours()},
		{"later", corpus.LaterMessages(), nil, corpus.LaterNeighbours()},
		{"last", corpus.LastMessages(), corpus.LastPrompts(), corpus.LastNeighbours()},
		{"recent", corpus.RecentMessages(), corpus.RecentPrompts(), corpus.RecentNeighbours()},
		{"newest", corpus.NewestMessages(), corpus.NewestPrompts(), corpus.NewestNeighbours()},
	} {
		categories, everyday, neighbours := measureFresh(t, set.name)
		categories.Report(t, set.messages, known(set.name))
		neighbours.Report(t, set.neighbours, known(set.name+"_neighbours"))
		if set.everyday != nil {
			everyday.Report(t, set.everyday, known(set.name+"_prompts"))
		}
	}
}

func measureFresh(t *testing.T, name string) (categories, everyday, neighbours corpus.Measure) {
	t.Helper()
	for _, x := range load(t, name) {
		in := safety.Check(x.Text, nil)
		switch x.Category {
		case "everyday":
			everyday.Add(x.Header, x.Category, false, isLoud(in), x.Text)
		case "neighbour":
			neighbours.Add(x.Header, x.Category, false, isLoud(in), x.Text)
		default:
			categories.Add(x.Header, x.Label, true, isLoud(in) && slices.Contains(in.Flags, safety.Category(x.Label)), x.Text)
		}
	}
	return categories, everyday, neighbours
}

// addSilent counts a message that the check must not notice. If the check decides on HOLD or BLOCK, the message counts
// as a false alarm of the first category in the flags.
func addSilent(m *corpus.Measure, x text, in *safety.Input) {
	category := silent
	if isLoud(in) {
		category = string(in.Flags[0])
	}
	m.Add(x.Header, category, false, isLoud(in), x.Text)
}

func isLoud(in *safety.Input) bool { return in.Action == safety.Hold || in.Action == safety.Block }

func isOfMessages(category string) bool {
	return slices.Contains(safety.Categories(), safety.Category(category)) || strings.HasPrefix(category, "behavior_")
}

func known(name string) string { return filepath.Join("testdata", "known", name+".json") }

func TestIntentsOfTheCorpus(t *testing.T) {
	var m, prompts corpus.Measure
	for _, x := range load(t, "intent") {
		m.Add(x.Header, x.Label, true, slices.Contains(safety.Intents(x.Text), safety.Intent(x.Label)), x.Text)
	}
	for _, kind := range []string{"prompt", "idiom", "calm"} {
		for _, x := range load(t, kind) {
			if kind == "idiom" && !isOfMessages(x.Category) {
				continue
			}
			found := safety.Intents(x.Text)
			prompts.Add(x.Header, kind+"s", false, len(found) > 0, x.Text)
		}
	}
	m.Report(t, corpus.Intents(), known("intents"))
	prompts.Report(t, corpus.NoIntents(), known("prompt_intents"))
}

func TestAnswersOfTheCorpus(t *testing.T) {
	var gates, silentAnswers corpus.Measure
	for _, x := range load(t, "gate") {
		found := triggered(x.answer())
		gates.Add(x.Header, x.Label, true, slices.Contains(found, x.Label), x.Text)
		for _, gate := range found {
			if gate != x.Label {
				gates.Add(x.Header, gate, false, true, x.Text)
			}
		}
	}
	for _, kind := range []string{"answer", "idiom"} {
		for _, x := range load(t, kind) {
			if kind == "idiom" && isOfMessages(x.Category) {
				continue
			}
			out := x.answer()
			for _, gate := range triggered(out) {
				gates.Add(x.Header, gate, false, true, x.Text)
			}
			silentAnswers.Add(x.Header, kind+"s blocked", false, out.Action == safety.Block, x.Text)
			silentAnswers.Add(x.Header, kind+"s held", false, out.Action != safety.Proceed && out.Action != safety.Flag, x.Text)
			silentAnswers.Add(x.Header, kind+"s flagged", false, out.Action != safety.Proceed, x.Text)
		}
	}
	gates.Report(t, corpus.OutputGates(), known("gates"))
	silentAnswers.Report(t, corpus.SilentAnswers(), known("answers"))
}

// TestAnswersAndIntentsInNewWords measures how well the gates and the intents work for texts whose writers knew neither
// the rules nor other examples. Nobody may use these texts to improve the rules. The limits of the weights were chosen
// with these figures in view, so the figures are a little too good.
func TestAnswersAndIntentsInNewWords(t *testing.T) {
	var gates, intents, answers, messages corpus.Measure
	for _, x := range load(t, "apart") {
		switch isMessage := strings.HasPrefix(x.ID, "apart-intent-"); {
		case isMessage && x.Label == silent:
			messages.Add(x.Header, x.Category, false, len(safety.Intents(x.Text)) > 0, x.Text)
		case isMessage:
			intents.Add(x.Header, x.Label, true, slices.Contains(safety.Intents(x.Text), safety.Intent(x.Label)), x.Text)
		case x.Label == silent:
			answers.Add(x.Header, x.Category, false, len(triggered(x.answer())) > 0, x.Text)
		default:
			gates.Add(x.Header, x.Label, true, slices.Contains(triggered(x.answer()), x.Label), x.Text)
		}
	}
	gates.Report(t, corpus.GatesInNewWords(), known("apart_gates"))
	answers.Report(t, corpus.AnswersInNewWords(), known("apart_answers"))
	intents.Report(t, corpus.IntentsInNewWords(), known("apart_intents"))
	messages.Report(t, corpus.MessagesInNewWords(), known("apart_messages"))
}

// triggered() returns the gates that triggered.
func triggered(out *safety.Output) (gates []string) {
	for _, g := range out.Gates {
		if g.Verdict != safety.Proceed {
			gates = append(gates, string(g.Gate))
		}
	}
	return gates
}
