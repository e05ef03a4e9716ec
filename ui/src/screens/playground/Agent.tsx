import { Field, inputClass } from "../../parts/Field";

interface Props {
  value: string;
  onChange: (value: string) => void;
}

export function Agent({ value, onChange }: Props) {
  return (
    <Field label="Agent" hint="Empty: the main agent.">
      {(control) => <input {...control} className={inputClass} value={value} onChange={(e) => onChange(e.target.value)} />}
    </Field>
  );
}
