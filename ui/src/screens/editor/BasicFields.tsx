import { Slider } from "@base-ui/react/slider";
import { useQuery } from "@tanstack/react-query";
import { vocabularies } from "../../api/queries";
import { guidelineCategoryValues } from "../../api/schema";
import type { Guideline, Lint } from "../../api/shapes";
import type { Draft } from "../../model/draft";
import { categoryWord } from "../../model/words";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import { Toggle } from "../../parts/Toggle";
import css from "./Fields.module.css";
import { JsonField } from "./JsonField";
import { Neighbours } from "./Neighbours";
import { Overrides } from "./Overrides";
import type { Unfinished } from "./unfinished";

interface Props {
  draft: Draft;
  readOnly: boolean;
  isNew: boolean;
  notes: (field: string) => Note[];
  overrides: Lint["overrides"];
  set: (change: Partial<Draft>) => void;
  unfinished: Unfinished;
}

export function BasicFields({ draft, readOnly, isNew, notes, overrides, set, unfinished }: Props) {
  return (
    <div className={css.group}>
      <Field label="Name" notes={notes("name")}>
        {(control) => (
          <input
            {...control}
            className={inputClass}
            value={draft.name}
            onChange={(e) => set({ name: e.target.value, ...(isNew && follows(draft) ? { id: idOf(e.target.value) } : {}) })}
          />
        )}
      </Field>
      <Field label="Id" hint={isNew ? "Decisions and exceptions refer to the guideline by this id. It cannot be changed later." : undefined} notes={notes("id")}>
        {(control) => (
          <input {...control} className={`${inputClass} mono`} value={draft.id} readOnly={!isNew} onChange={(e) => set({ id: e.target.value })} />
        )}
      </Field>
      <Field label="Description" hint="Explain the purpose. People see this text when they are asked for approval." notes={notes("description")}>
        {(control) => (
          <textarea {...control} className={inputClass} rows={2} value={draft.description} onChange={(e) => set({ description: e.target.value })} />
        )}
      </Field>
      <div className={css.pair}>
        <Field label="Category" notes={notes("category")}>
          {(control) => (
            <select {...control} className={inputClass} value={draft.category} onChange={(e) => set({ category: e.target.value as Guideline["category"] })}>
              {guidelineCategoryValues.map((name) => (
                <option key={name} value={name}>
                  {categoryWord(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Project" hint={isNew ? "Leave this empty for all projects." : undefined} notes={notes("project_id")}>
          {(control) => (
            <input
              {...control}
              className={inputClass}
              value={draft.project_id || (isNew ? "" : "all projects")}
              readOnly={!isNew}
              placeholder="github.com/acme/shop"
              onChange={(e) => set({ project_id: e.target.value })}
            />
          )}
        </Field>
      </div>
      <Priority draft={draft} readOnly={readOnly} notes={notes("priority")} set={set} />
      <Overrides id={draft.id} overrides={overrides} />
      <div className={css.switches}>
        <label className={css.switch}>
          <Toggle label="On" checked={draft.enabled} onChange={(enabled) => set({ enabled })} /> On
        </label>
        <label className={css.switch}>
          <Toggle label="Locked" checked={draft.locked} onChange={(locked) => set({ locked })} /> Locked: nobody can turn it off or
          make a one-time exception
        </label>
      </div>
      <JsonField
        label="Metadata (JSON)"
        value={draft.metadata}
        notes={notes("metadata")}
        {...unfinished("metadata")}
        onChange={(metadata) => set({ metadata: metadata ?? {} })}
      />
    </div>
  );
}

const follows = (draft: Draft) => draft.id === idOf(draft.name);

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 128);
}

function Priority({ draft, readOnly, notes, set }: { draft: Draft; readOnly: boolean; notes: Note[]; set: Props["set"] }) {
  const { data: known } = useQuery(vocabularies);
  const highest = Math.max(known?.limits.priority_max ?? 0, draft.priority);
  return (
    <Field label="Priority" hint={<Neighbours draft={draft} />} notes={notes}>
      {(control) => (
        <div className={css.priority}>
          <Slider.Root
            className={css.slider}
            min={0}
            max={highest}
            step={10}
            disabled={readOnly}
            value={draft.priority}
            onValueChange={(priority) => set({ priority: priority as number })}
          >
            <Slider.Control className={css.sliderControl}>
              <Slider.Track className={css.track}>
                <Slider.Indicator className={css.indicator} />
                <Slider.Thumb className={css.thumb} aria-label="Priority" />
              </Slider.Track>
            </Slider.Control>
          </Slider.Root>
          <input
            {...control}
            type="number"
            min={0}
            max={known?.limits.priority_max}
            className={inputClass}
            value={draft.priority}
            onChange={(e) => set({ priority: e.target.valueAsNumber || 0 })}
          />
        </div>
      )}
    </Field>
  );
}
