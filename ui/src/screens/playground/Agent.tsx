import { Field, inputClass } from "../../parts/Field";

interface Props {
  value: string;
  known: { name: string }[];
  onChange: (value: string) => void;
}

export function Agent({ value, known, onChange }: Props) {
  return (
    <Field label="Agent" hint="Leave this empty for the main agent.">
      {(control) => (
        <>
          <input {...control} className={inputClass} list="agents" value={value} onChange={(e) => onChange(e.target.value)} />
          <datalist id="agents">
            {known.map((agent) => (
              <option key={agent.name} value={agent.name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
