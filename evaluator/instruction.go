package evaluator

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// InstructionLimit is the largest number of characters in a combined instruction. The client cuts off injected text at
// 10,000 characters, and other text needs room too.
const InstructionLimit = 9000

// noteLimit is the largest number of characters in the last line, which names the guidelines that were left out.
const noteLimit = 300

const blockSeparator = "\n\n"

type instructionBlock struct {
	id   string
	text string
	size int
}

// combine() joins the instructions of the matches, with a heading above each. If the result is too long, combine()
// first leaves out each instruction that is too long even without the other instructions. Then it leaves out the
// instructions with the lowest priority, until the remaining instructions fit. The last line names the guidelines whose
// instructions were left out.
func combine(matches []Match) (text string, omitted []string) {
	blocks := instructionBlocks(matches)
	if len(longestStart(blocks)) == len(blocks) {
		return joinBlocks(blocks), nil
	}
	fitting := slices.DeleteFunc(slices.Clone(blocks), func(b instructionBlock) bool {
		return b.size > InstructionLimit-noteLimit-len(blockSeparator) && !fits([]instructionBlock{b}, blocks)
	})
	kept := longestStart(fitting)
	for !fits(kept, blocks) {
		kept = kept[:len(kept)-1]
	}
	omitted = idsWithout(blocks, kept)
	return joinBlocks(withNote(kept, omitted)), omitted
}

// fits() reports whether the kept blocks and the last line fit into the limit. The last line names the guidelines of
// the other blocks.
func fits(kept, blocks []instructionBlock) bool {
	all := withNote(kept, idsWithout(blocks, kept))
	return len(longestStart(all)) == len(all)
}

func withNote(kept []instructionBlock, omitted []string) []instructionBlock {
	note := leftOutNote(omitted)
	return append(slices.Clip(kept), instructionBlock{text: note, size: utf8.RuneCountInString(note)})
}

func instructionBlocks(matches []Match) []instructionBlock {
	var out []instructionBlock
	for i := range matches {
		m := &matches[i]
		instruction := strings.TrimSpace(m.Guideline.Action.Instruction)
		if instruction == "" {
			continue
		}
		text := "### " + m.Guideline.Name + " (" + m.Guideline.ID + ")\n"
		if m.Residual != 0 {
			text += "Applies when: " + clauses(&m.Guideline.Condition, m.Residual) + ".\n"
		}
		text += instruction
		out = append(out, instructionBlock{id: m.Guideline.ID, text: text, size: utf8.RuneCountInString(text)})
	}
	return out
}

func longestStart(blocks []instructionBlock) []instructionBlock {
	size := -len(blockSeparator)
	for i := range blocks {
		size += len(blockSeparator) + blocks[i].size
		if size > InstructionLimit {
			return blocks[:i]
		}
	}
	return blocks
}

func joinBlocks(blocks []instructionBlock) string {
	texts := make([]string, len(blocks))
	for i := range blocks {
		texts[i] = blocks[i].text
	}
	return strings.Join(texts, blockSeparator)
}

// idsWithout returns the ids of the blocks that are not in the list "kept". Both lists have the same order.
func idsWithout(blocks, kept []instructionBlock) []string {
	var out []string
	for _, b := range blocks {
		if len(kept) > 0 && kept[0].id == b.id {
			kept = kept[1:]
			continue
		}
		out = append(out, b.id)
	}
	return out
}

// leftOutNote returns the line about the guidelines that were left out. It names as many of them as fit on the line,
// and says how many more were left out.
func leftOutNote(ids []string) string {
	const shortestItem = len("x, ")
	for named := min(len(ids), noteLimit/shortestItem); named > 0; named-- {
		note := "(Left out for length: " + strings.Join(ids[:named], ", ")
		if more := len(ids) - named; more > 0 {
			note += " and " + strconv.Itoa(more) + " more"
		}
		if note += ".)"; utf8.RuneCountInString(note) <= noteLimit {
			return note
		}
	}
	return "(Left out for length: " + strconv.Itoa(len(ids)) + " of the guidelines.)"
}
