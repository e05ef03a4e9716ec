import { Slider } from "@base-ui/react/slider";
import { useQuery } from "@tanstack/react-query";
import { guidelines, vocabularies } from "../../api/queries";
import { guidelineCategoryValues } from "../../api/schema";
import type { Guideline, Lint } from "../../api/shapes";
import type { Draft } from "../../model/draft";
import { categoryWord } from "../../model/words";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import { Toggle } from "../../parts/Toggle";
import css from "./Fields.module.css";
import { JsonField } from "./JsonField";
import { Overrides } from "./Overrides";
import type { Unfinished } from "./unfinished";

interface Props {
  draft: Draft;
  isNew: boolean;
  notes: (field: string) => Note[];
  overrides: Lint["overrides"];
  set: (change: Partial<Draft>) => void;
  unfinished: Unfinished;
}

export function BasicFields({ draft, isNew, notes, overrides, set, unfinished }: Props) {
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
      <Field label="Id" hint={isNew ? "Decisions and exceptions name it. It cannot be changed later." : undefined} notes={notes("id")}>
        {(control) => (
          <input {...control} className={`${inputClass} mono`} value={draft.id} readOnly={!isNew} onChange={(e) => set({ id: e.target.value })} />
        )}
      </Field>
      <Field label="Description" hint="What it is for. A person who is asked reads it." notes={notes("description")}>
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
        <Field label="Project" hint={isNew ? "Empty: all projects." : undefined} notes={notes("project_id")}>
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
      <Priority draft={draft} notes={notes("priority")} set={set} />
      <Overrides id={draft.id} overrides={overrides} />
      <div className={css.switches}>
        <label className={css.switch}>
          <Toggle label="On" checked={draft.enabled} onChange={(enabled) => set({ enabled })} /> On
        </label>
        <label className={css.switch}>
          <Toggle label="Locked" checked={draft.locked} onChange={(locked) => set({ locked })} /> Locked: nobody can switch it off or
          allow a call once
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

function Priority({ draft, notes, set }: { draft: Draft; notes: Note[]; set: Props["set"] }) {
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

const most = 1000;

// Neighbours says between which guidelines the priority puts this one.
function Neighbours({ draft }: { draft: Draft }) {
  const { data } = useQuery(guidelines({ sort: "priority", page_size: most }));
  if (!data || data.total > most) return <>The higher priority decides.</>;
  const others = data.guidelines.filter((g) => g.id !== draft.id);
  const above = others.filter((g) => g.priority >= draft.priority).at(-1);
  const below = others.find((g) => g.priority < draft.priority);
  return (
    <>
      {above ? `Below ${above.name} (${above.priority})` : "Above all others in the store"}
      {below ? `, above ${below.name} (${below.priority}).` : "."}
    </>
  );
}
