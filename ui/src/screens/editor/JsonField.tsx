import { useState } from "react";
import { isEmpty, same } from "../../model/draft";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import css from "./Fields.module.css";

type Json = Record<string, unknown>;

interface Props {
  label: string;
  hint?: string;
  value: Json | null | undefined;
  notes: Note[];
  onChange: (value: Json | undefined) => void;
}

// JsonField edits an object as JSON. Text that is not an object yet stays as it was typed, and is not taken over.
export function JsonField({ label, hint, value, notes, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && !same(parsed(typed), value) && parsed(typed) !== null ? print(value) : (typed ?? print(value));
  const isWrong = parsed(text) === null;
  const all: Note[] = isWrong ? [...notes, { tone: "deny", text: "This is not a JSON object yet, so it is not saved." }] : notes;
  return (
    <details className={css.more} open={!isEmpty(value) || notes.length > 0 || undefined}>
      <summary>{label}</summary>
      <Field label={label} hint={hint} notes={all}>
        {(control) => (
          <textarea
            {...control}
            className={`${inputClass} mono`}
            rows={Math.min(8, Math.max(2, text.split("\n").length))}
            spellCheck={false}
            value={text}
            onChange={(e) => {
              setTyped(e.target.value);
              const object = parsed(e.target.value);
              if (object) onChange(isEmpty(object) ? undefined : object);
            }}
          />
        )}
      </Field>
    </details>
  );
}

function print(value: Json | null | undefined): string {
  return isEmpty(value) ? "" : JSON.stringify(value, null, 2);
}

function parsed(text: string): Json | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}
