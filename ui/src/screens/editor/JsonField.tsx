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
  unfinished: string | undefined; // text that is not an object yet
  notes: Note[];
  onChange: (value: Json | undefined) => void;
  onUnfinished: (text: string | undefined) => void;
}

// JsonField edits an object as JSON. Text that is not an object yet stays as it was typed.
export function JsonField({ label, hint, value, unfinished, notes, onChange, onUnfinished }: Props) {
  const [typed, setTyped] = useState("");
  const text = unfinished ?? (same(parsed(typed), value) ? typed : print(value));
  const all: Note[] = unfinished ? [...notes, { tone: "deny", text: "This is not a JSON object yet. Finish it, or remove it." }] : notes;
  return (
    <details className={css.more} open={!isEmpty(value) || all.length > 0 || undefined}>
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
              onUnfinished(object ? undefined : e.target.value);
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
