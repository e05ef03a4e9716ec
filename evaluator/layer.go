package evaluator

import (
	"cmp"
	"slices"
)

// layer is, for each value of a field, the set of positions that accept it.
type layer struct {
	// open are the positions that accept any value.
	open []uint64
	// named are the positions that name a value.
	named map[string][]block
}

// block is the part of a set that falls into one word; a set of few positions stays small however many there are.
type block struct {
	word int
	bits uint64
}

func newLayer(positions int) layer {
	return layer{open: make([]uint64, wordsFor(positions)), named: map[string][]block{}}
}

func wordsFor(positions int) int { return (positions + wordSize - 1) / wordSize }

// add enters a position with the values that it accepts; none means any. Positions must not fall.
func (l *layer) add(position int, values []string) {
	word, bit := position/wordSize, uint64(1)<<(position%wordSize)
	if len(values) == 0 {
		l.open[word] |= bit
	}
	for _, value := range values {
		blocks := l.named[value]
		if len(blocks) == 0 || blocks[len(blocks)-1].word != word {
			blocks = append(blocks, block{word: word})
			l.named[value] = blocks
		}
		blocks[len(blocks)-1].bits |= bit
	}
}

// row is the part of a layer that fits one value.
type row struct {
	open  []uint64
	named []block
}

// row is what fits a context's value; an empty one means that the context has none.
func (l *layer) row(value string) row {
	if value == "" {
		return row{open: l.open}
	}
	return row{open: l.open, named: l.named[value]}
}

// intersect is the positions of one word that fit every row. Words must be asked for in rising order.
func intersect(rows []row, word int) uint64 {
	found := ^uint64(0)
	for i := range rows {
		if found &= rows[i].at(word); found == 0 {
			break
		}
	}
	return found
}

func (r *row) at(word int) uint64 {
	if len(r.named) > 0 && r.named[0].word < word {
		r.skip(word)
	}
	if len(r.named) > 0 && r.named[0].word == word {
		return r.open[word] | r.named[0].bits
	}
	return r.open[word]
}

// skip drops the blocks before a word.
func (r *row) skip(word int) {
	i, _ := slices.BinarySearchFunc(r.named, word, func(b block, word int) int { return cmp.Compare(b.word, word) })
	r.named = r.named[i:]
}
