import { useId } from "react";
import type { ReactNode } from "react";
import { ToneIcon } from "./Outcome";
import css from "./Field.module.css";

export interface Note {
  tone: "deny" | "warn";
  text: string;
}

interface Control {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface Props {
  label: string;
  hint?: ReactNode;
  notes?: Note[];
  children: (control: Control) => ReactNode;
}

// The component Field shows a control with its label, its hint, and the server's notes about its value.
export function Field({ label, hint, notes = [], children }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, notes.length > 0 && `${id}-notes`].filter(Boolean).join(" ") || undefined;
  const invalid = notes.some((note) => note.tone === "deny") || undefined;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": described, "aria-invalid": invalid })}
      {hint && (
        <div id={`${id}-hint`} className={css.hint}>
          {hint}
        </div>
      )}
      {notes.length > 0 && <Notes id={`${id}-notes`} notes={notes} />}
    </div>
  );
}

export function Notes({ id, notes }: { id?: string; notes: Note[] }) {
  return (
    <ul id={id} className={css.notes}>
      {notes.map((note, i) => (
        <li key={i} className={css.note} data-tone={note.tone}>
          <ToneIcon tone={note.tone} />
          <span>{note.text}</span>
        </li>
      ))}
    </ul>
  );
}

export const inputClass = css.input ?? "";
