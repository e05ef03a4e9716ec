import type { Condition } from "../../api/shapes";
import type { ConditionList, Draft } from "../../model/draft";
import { Chips } from "../../parts/Chips";
import { Field } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import css from "./Fields.module.css";
import { JsonField } from "./JsonField";

interface Props {
  draft: Draft;
  readOnly: boolean;
  notes: (field: string) => Note[];
  set: (change: Partial<Draft>) => void;
}

const rows: { field: ConditionList; label: string; hint?: string }[] = [
  { field: "agents", label: "Agents" },
  { field: "paths", label: "Paths", hint: "Globs, such as src/*. A star also matches slashes." },
  { field: "events", label: "Events", hint: "What a call does, such as commit or deploy." },
  { field: "actions", label: "Actions" },
  { field: "domains", label: "Domains" },
  { field: "gate_types", label: "Gate types" },
];

// ConditionFields has one row for each field. All rows must match; in a row, one value is enough.
export function ConditionFields({ draft, readOnly, notes, set }: Props) {
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
              placeholder={row.field === "paths" ? "any path" : "any"}
              mono={row.field === "paths"}
              readOnly={readOnly}
              onChange={(values) => put({ [row.field]: values })}
            />
          )}
        </Field>
      ))}
      <JsonField
        label="Custom facts (JSON)"
        hint='Facts of the context, such as {"environment": ["container"]}.'
        value={draft.condition.custom as Record<string, unknown>}
        notes={notes("condition.custom")}
        onChange={(custom) => put({ custom })}
      />
    </div>
  );
}
