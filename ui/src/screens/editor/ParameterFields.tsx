import { useQuery } from "@tanstack/react-query";
import { vocabularies } from "../../api/queries";
import type { Action, Vocabularies } from "../../api/shapes";
import { plain } from "../../model/words";
import { Field, inputClass } from "../../parts/Field";
import type { Note } from "../../parts/Field";

type Parameter = Vocabularies["parameters"][number];
type Values = Record<string, unknown>;

interface Props {
  action: Action;
  notes: (field: string) => Note[];
  onChange: (parameters: Values | undefined) => void;
}

// ParameterFields has a field for each parameter that the type of the action uses, and for every other parameter that
// has a value.
export function ParameterFields({ action, notes, onChange }: Props) {
  const { data: known } = useQuery(vocabularies);
  const values = (action.parameters ?? {}) as Values;
  const put = (name: string, value: unknown) => {
    const { [name]: _former, ...others } = values;
    const next = value === undefined ? others : { ...others, [name]: value };
    onChange(Object.keys(next).length > 0 ? next : undefined);
  };
  return (known?.parameters ?? [])
    .filter((parameter) => parameter.types.includes(action.type) || parameter.name in values)
    .map((parameter) => (
      <Field key={parameter.name} label={labelOf(parameter)} hint={sentence(parameter.about)} notes={notes(`action.parameters.${parameter.name}`)}>
        {(control) => {
          const value = values[parameter.name];
          const change = (next: unknown) => put(parameter.name, next);
          if (parameter.kind === "choice") return <Choice control={control} parameter={parameter} value={value} onChange={change} />;
          const isNumber = parameter.kind === "number";
          return (
            <input
              {...control}
              className={inputClass}
              type={isNumber ? "number" : "text"}
              {...(isNumber ? { min: 0, max: 1, step: 0.01 } : {})}
              value={value === undefined ? "" : String(value as string | number)}
              onChange={(e) => change(e.target.value === "" ? undefined : isNumber ? e.target.valueAsNumber : e.target.value)}
            />
          );
        }}
      </Field>
    ));
}

// A value that is not one of the choices, for example from a file, stays until a person chooses another value.
function Choice({ control, parameter, value, onChange }: { control: object; parameter: Parameter; value: unknown; onChange: (value: string | undefined) => void }) {
  const given = value === undefined ? "" : String(value as string);
  const choices = parameter.values ?? [];
  return (
    <select {...control} className={inputClass} value={given} onChange={(e) => onChange(e.target.value || undefined)}>
      <option value="">not set</option>
      {choices.map((choice) => (
        <option key={choice.name} value={choice.name}>
          {choice.name}: {choice.about}
        </option>
      ))}
      {given && !choices.some((choice) => choice.name === given) && <option value={given}>{given}</option>}
    </select>
  );
}

const labelOf = (parameter: Parameter) => sentence(plain(parameter.name)).replace(/\.$/, "");

function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return first.endsWith(".") ? first : `${first}.`;
}
