import { toneOf, wordOf } from "../model/outcome";
import type { Tone } from "../model/outcome";
import css from "./Outcome.module.css";

const paths: Record<Tone, string> = {
  allow: "M3.5 8.5l3 3 6-7",
  warn: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.6v.6",
  ask: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.8M8 12.4v.7",
  deny: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM3.8 3.8l8.4 8.4",
  unchecked: "M3 8h2M7 8h2M11 8h2",
};

export function ToneIcon({ tone }: { tone: Tone }) {
  return (
    <svg viewBox="0 0 16 16" className={css.icon} data-tone={tone} aria-hidden="true">
      <path d={paths[tone]} />
    </svg>
  );
}

// The component Outcome shows a decision by its icon, its colour and its word.
export function Outcome({ result, large = false }: { result: string; large?: boolean }) {
  const tone = toneOf(result);
  return (
    <span className={large ? css.large : css.outcome} data-tone={tone}>
      <ToneIcon tone={tone} />
      {wordOf(result)}
    </span>
  );
}
