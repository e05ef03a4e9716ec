import { useQuery } from "@tanstack/react-query";
import { vocabularies } from "../../api/queries";
import type { Condition, Vocabularies } from "../../api/shapes";
import type { ConditionList, Draft } from "../../model/draft";
import { Chips } from "../../parts/Chips";
import { Field } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import css from "./Fields.module.css";
import { GlobTester } from "./GlobTester";
import { JsonField } from "./JsonField";
import { RecordedContexts } from "./RecordedContexts";
import type { Unfinished } from "./unfinished";

interface Props {
  draft: Draft;
  readOnly: boolean;
  notes: (field: string) => Note[];
  set: (change: Partial<Draft>) => void;
  unfinished: Unfinished;
}

const rows: { field: ConditionList; label: string; hint?: string; words: keyof Vocabularies | null }[] = [
  { field: "agents", label: "Agents", words: "agents" },
  { field: "paths", label: "Paths", hint: "Globs, such as src/*. A star also matches slashes.", words: null },
  { field: "events", label: "Events", hint: "What a call does, such as commit or deploy.", words: "events" },
  { field: "actions", label: "Actions", words: "actions" },
  { field: "domains", label: "Domains", words: "domains" },
  { field: "gate_types", label: "Gate types", words: "gate_types" },
];

// ConditionFields has one row for each field. All rows must match. A row matches if one of its values matches.
export function ConditionFields({ draft, readOnly, notes, set, unfinished }: Props) {
  const { data: known } = useQuery(vocabularies);
  const put = (change: Partial<Condition>) => set({ condition: { ...draft.condition, ...change } });
  return (
    <div className={css.group}>
      <h3>When it applies</h3>
      {rows.map((row) => (
        <Field key={row.field} label={row.label} hint={row.hint} notes={notes(`condition.${row.field}`)}>
          {(control) => (
            <Chips
              {...control}
              values={draft.condition[row.field] ?? []}
              suggestions={suggestions(known, row.words)}
              placeholder={row.field === "paths" ? "any path" : "any"}
              mono={row.field === "paths"}
              readOnly={readOnly}
              onChange={(values) => put({ [row.field]: values })}
            />
          )}
        </Field>
      ))}
      {(draft.condition.paths?.length ?? 0) > 0 && <GlobTester patterns={draft.condition.paths ?? []} />}
      <JsonField
        label="Custom facts (JSON)"
        hint='More facts that must match, such as {"environment": ["container"]}.'
        value={draft.condition.custom as Record<string, unknown>}
        notes={notes("condition.custom")}
        {...unfinished("condition.custom")}
        onChange={(custom) => put({ custom })}
      />
      <RecordedContexts condition={draft.condition} />
    </div>
  );
}

export function suggestions(known: Vocabularies | undefined, words: keyof Vocabularies | null) {
  if (!known || !words) return [];
  const list = known[words] as { name: string; about?: string; in?: string[] }[];
  return list.map((word) => ({ name: word.name, about: word.about ?? (word.in?.length ? `in ${word.in.join(", ")}` : "") }));
}
