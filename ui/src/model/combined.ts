// The text that an agent receives, in pieces. A piece is the part of one guideline, or the text before or after it.
export interface Piece {
  text: string;
  isOwn: boolean; // the part of the guideline that is being written
}

interface Part {
  id: string;
  name: string;
}

// The function "pieces" divides a combined text, and marks the part of the guideline with the id in the parameter
// "own". The text has the parts in the given order, each with a heading. Its last line can list the guidelines that
// were left out.
export function pieces(text: string, parts: Part[], own: string): Piece[] {
  const at = parts.findIndex((part) => part.id === own);
  const part = parts[at];
  const start = part ? text.indexOf(heading(part)) : -1;
  if (start < 0) return text ? [{ text, isOwn: false }] : [];
  const next = parts[at + 1];
  const after = next ? text.indexOf(`\n\n${heading(next)}`, start) : text.indexOf("\n\n(Left out for length: ", start);
  const end = after < 0 ? text.length : after;
  return [
    { text: text.slice(0, start), isOwn: false },
    { text: text.slice(start, end), isOwn: true },
    { text: text.slice(end), isOwn: false },
  ].filter((piece) => piece.text !== "");
}

const heading = (part: Part) => `### ${part.name} (${part.id})\n`;

// sizeOf counts characters as the server does.
export const sizeOf = (text: string) => [...text].length;
