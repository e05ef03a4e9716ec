import type { ReactNode } from "react";
import { pieces } from "../model/hostile";
import css from "./Raw.module.css";

function separate(marks: Mark[]): Mark[] {
  const best = [...marks].sort((a, b) => Number(b.tone !== "") - Number(a.tone !== "") || a.end - a.start - (b.end - b.start));
  const apart: Mark[] = [];
  for (const mark of best) {
    if (!apart.some((other) => mark.start < other.end && other.start < mark.end)) apart.push(mark);
  }
  return apart.sort((a, b) => a.start - b.start);
}

// The component Raw shows text that an agent may have written. Hidden characters are shown as codes, and the text
// cannot change the writing direction of the text around it.
export function Raw({ text, lines = false, className }: { text: string; lines?: boolean; className?: string }) {
  const Tag = lines ? "pre" : "bdi";
  return (
    <Tag className={[lines ? css.lines : "", className].join(" ")} tabIndex={lines ? 0 : undefined}>
      {shown(text, lines)}
    </Tag>
  );
}

function shown(text: string, lines: boolean): ReactNode[] {
  return pieces(text, lines).map((piece, i) =>
    piece.code ? (
      <span key={i} className={css.code} title={`a hidden character, ${piece.code}`}>
        {piece.code}
      </span>
    ) : (
      piece.text
    ),
  );
}

export interface Mark {
  start: number; // in UTF-16 units
  end: number;
  title: string;
  tone: string;
}

// The component Marked shows a command with its marked parts underlined. If two marks overlap, it shows only one of
// them: the mark with a tone, or else the shorter mark.
export function Marked({ text, marks }: { text: string; marks: Mark[] }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const mark of separate(marks.filter((m) => m.start < m.end && m.end <= text.length))) {
    parts.push(<span key={from}>{shown(text.slice(from, mark.start), true)}</span>);
    parts.push(
      <mark key={`m${mark.start}`} className={css.mark} data-tone={mark.tone} title={mark.title}>
        {shown(text.slice(mark.start, mark.end), true)}
      </mark>,
    );
    from = mark.end;
  }
  parts.push(<span key="rest">{shown(text.slice(from), true)}</span>);
  return (
    <pre className={css.lines} dir="ltr" tabIndex={0}>
      {parts}
    </pre>
  );
}
