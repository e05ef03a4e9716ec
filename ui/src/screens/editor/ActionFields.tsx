import { useQuery } from "@tanstack/react-query";
import { vocabularies } from "../../api/queries";
import type { Action } from "../../api/shapes";
import { sizeOf } from "../../model/combined";
import { isEmpty } from "../../model/draft";
import type { Draft } from "../../model/draft";
import { plain } from "../../model/words";
import { Chips } from "../../parts/Chips";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";
import { suggestions } from "./ConditionFields";
import css from "./Fields.module.css";
import { JsonField } from "./JsonField";
import { ParameterFields } from "./ParameterFields";
import type { Unfinished } from "./unfinished";
import { ToolTester } from "./ToolTester";

interface Props {
  draft: Draft;
  readOnly: boolean;
  notes: (field: string) => Note[];
  set: (change: Partial<Draft>) => void;
  unfinished: Unfinished;
}

type Name = Exclude<keyof Action, "type">;

// The order of the fields on the page. The server says which of these fields each type of action uses.
const all: Name[] = [
  "tools_denied", "tools_allowed", "gate_type", "gate_threshold", "tools_asked", "max_files", "require_tests", "require_review", "instruction",
];

export function ActionFields({ draft, readOnly, notes, set, unfinished }: Props) {
  const { data: known } = useQuery(vocabularies);
  const action = draft.action;
  const put = (change: Partial<Action>) => set({ action: { ...action, ...change } });
  const patterns = [...(action.tools_denied ?? []), ...(action.tools_allowed ?? []), ...(action.tools_asked ?? [])];
  const types = known?.action_types ?? [];
  const used = types.find((type) => type.name === action.type)?.fields ?? [];
  // A field that the type of the action does not use is shown only if it has a value or a note.
  const shown = all.filter((name) => used.includes(name) || !isEmpty(action[name]) || notes(`action.${name}`).length > 0);
  return (
    <div className={css.group}>
      <h3>What it does</h3>
      <Field label="Type" notes={notes("action.type")}>
        {(control) => (
          <select {...control} className={inputClass} value={action.type} onChange={(e) => put({ type: e.target.value as Action["type"] })}>
            {!known && <option value={action.type}>{plain(action.type)}</option>}
            {types.map((type) => (
              <option key={type.name} value={type.name}>
                {plain(type.name)}: {type.about}
              </option>
            ))}
          </select>
        )}
      </Field>
      {shown.map((name) => (
        <div key={name}>{control(name)}</div>
      ))}
      {patterns.length > 0 && <ToolTester patterns={patterns} />}
      <ParameterFields action={action} notes={notes} onChange={(parameters) => put({ parameters })} />
      <JsonField
        label="Parameters (JSON)"
        hint='All settings of the action, such as {"instead": "run make generate."}.'
        value={action.parameters as Record<string, unknown>}
        notes={notes("action.parameters").filter((note) => !known?.parameters.some(({ name }) => notes(`action.parameters.${name}`).includes(note)))}
        {...unfinished("action.parameters")}
        onChange={(parameters) => put({ parameters })}
      />
    </div>
  );

  function control(name: Name) {
    switch (name) {
      case "tools_denied":
        return tools(name, "Denied calls", "Tool patterns, such as Write(src/*) or Bash(git push *). A pattern also covers other commands that do the same thing.");
      case "tools_allowed":
        return tools(name, "Allowed calls", "Every other use of the same tools is denied.");
      case "tools_asked":
        return tools(name, "Calls to ask about", "Leave this empty to ask about every call to which the condition applies.");
      case "gate_type":
        return (
          <Field label="Gate" hint="A name for the kind of approval, such as devops." notes={notes("action.gate_type")}>
            {(c) => (
              <>
                <input {...c} className={inputClass} list="gates" value={action.gate_type ?? ""} onChange={(e) => put({ gate_type: e.target.value })} />
                <datalist id="gates">
                  {suggestions(known, "gate_types").map((gate) => (
                    <option key={gate.name} value={gate.name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        );
      case "gate_threshold":
        return (
          <Field label="Strictness" notes={notes("action.gate_threshold")}>
            {(c) => (
              <select
                {...c}
                className={inputClass}
                value={action.gate_threshold === known?.thresholds[0]?.name ? "" : (action.gate_threshold ?? "")}
                onChange={(e) => put({ gate_threshold: (e.target.value || undefined) as Action["gate_threshold"] })}
              >
                {(known?.thresholds ?? []).map(({ name: value, about }, i) => (
                  <option key={value} value={i === 0 ? "" : value}>
                    {value}: {about}
                  </option>
                ))}
              </select>
            )}
          </Field>
        );
      case "max_files":
        return (
          <Field label="Maximum number of files in a commit" notes={notes("action.max_files")}>
            {(c) => (
              <input
                {...c}
                className={inputClass}
                type="number"
                min={0}
                value={action.max_files ?? ""}
                onChange={(e) => put({ max_files: e.target.value === "" ? undefined : e.target.valueAsNumber })}
              />
            )}
          </Field>
        );
      case "require_tests":
        return check(name, "Tests must pass before a commit of source code");
      case "require_review":
        return check(name, "A merge needs a review first");
      default:
        return <Instruction text={action.instruction ?? ""} most={known?.limits.instruction_max} notes={notes("action.instruction")} put={put} />;
    }
  }

  function tools(name: "tools_denied" | "tools_allowed" | "tools_asked", label: string, hint: string) {
    return (
      <Field label={label} hint={hint} notes={notes(`action.${name}`)}>
        {(c) => <Chips {...c} mono readOnly={readOnly} values={action[name] ?? []} placeholder="Write(generated/*)" onChange={(values) => put({ [name]: values })} />}
      </Field>
    );
  }

  function check(name: "require_tests" | "require_review", label: string) {
    return (
      <label className={css.check}>
        <input type="checkbox" checked={action[name] ?? false} onChange={(e) => put({ [name]: e.target.checked })} />
        {label}
      </label>
    );
  }
}

function Instruction({ text, most, notes, put }: { text: string; most: number | undefined; notes: Note[]; put: (change: Partial<Action>) => void }) {
  const size = sizeOf(text).toLocaleString("en");
  const limit = most ? ` All instructions that apply together may have at most ${most.toLocaleString("en")} characters.` : "";
  return (
    <Field label="Instruction" hint={`The agent reads this text. It has ${size} characters.${limit}`} notes={notes}>
      {(c) => <textarea {...c} className={inputClass} rows={4} value={text} onChange={(e) => put({ instruction: e.target.value })} />}
    </Field>
  );
}
