// Text that an agent wrote is never markup. Characters that a browser hides, or that reorder a line, are shown as codes
// such as U+202E.

export interface Piece {
  text: string;
  code?: string; // such as U+202E; it is shown instead of the text
}

// The expression "hidden" matches controls (except tab and newline), soft hyphens, fillers, zero-width and bidi
// characters, line separators, tag characters, the object replacement character, lone surrogates and similar
// characters.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

const names: Record<string, string> = { "\n": "↵", "\t": "⇥" };

export function pieces(text: string, lines = false): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) found.push(...breaks(text.slice(from, to), lines));
  };
  for (const match of text.matchAll(hidden)) {
    add(match.index);
    found.push({ text: match[0], code: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  add(text.length);
  return found;
}

// The function "breaks" replaces newlines and tabs with visible signs if the text is not shown in lines.
function breaks(text: string, lines: boolean): Piece[] {
  if (lines) return [{ text }];
  return text
    .split(/([\n\t])/)
    .filter(Boolean)
    .map((part) => (names[part] ? { text: part, code: names[part] } : { text: part }));
}

function codeOf(character: string): string {
  return "U+" + (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
