import { useState } from "react";
import { created, same } from "../../model/draft";
import type { Draft } from "../../model/draft";
import { written } from "../../model/written";
import { CopyButton } from "../../parts/CopyButton";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import css from "./Json.module.css";

interface Props {
  draft: Draft;
  saved: { id: string; project_id: string } | null; // the guideline that exists
  readOnly: boolean;
  notes: Note[];
  unfinished: string | undefined; // text that is not a guideline yet
  onChange: (draft: Draft) => void;
  onUnfinished: (text: string | undefined) => void;
}

// DraftJson edits the whole draft as JSON. Text that is not a guideline yet stays as it was typed.
export function DraftJson({ draft, saved, readOnly, notes, unfinished, onChange, onUnfinished }: Props) {
  const [typed, setTyped] = useState("");
  const text = unfinished ?? (isText(typed, draft, saved) ? typed : JSON.stringify(created(draft), null, 2));
  const problem = unfinished === undefined ? undefined : written(unfinished, saved).problem;
  const all: Note[] = problem ? [{ tone: "deny", text: problem }] : notes;
  return (
    <div className={css.json}>
      <Field label="The guideline as JSON" hint="This is the same draft as in the view Edit. You can change the view at any time without losing anything." notes={all}>
        {(control) => (
          <textarea
            {...control}
            className={`${inputClass} mono`}
            rows={Math.min(40, Math.max(16, text.split("\n").length + 1))}
            spellCheck={false}
            readOnly={readOnly}
            value={text}
            onChange={(e) => {
              setTyped(e.target.value);
              const read = written(e.target.value, saved);
              onUnfinished(read.draft ? undefined : e.target.value);
              if (read.draft) onChange(read.draft);
            }}
          />
        )}
      </Field>
      <CopyButton name="Copy the JSON" text={text} />
    </div>
  );
}

// isText reports whether the typed text means the same as the draft. If so, the text stays as it was typed, with its
// spaces and its order.
function isText(typed: string, draft: Draft, saved: Props["saved"]): boolean {
  return typed !== "" && same(written(typed, saved).draft, draft);
}
