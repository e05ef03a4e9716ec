import { Switch } from "@base-ui/react/switch";
import css from "./Toggle.module.css";

interface Props {
  label: string;
  checked: boolean;
  disabled?: boolean;
  id?: string;
  onChange: (checked: boolean) => void;
}

export function Toggle({ label, checked, disabled, id, onChange }: Props) {
  return (
    <Switch.Root id={id} className={css.root} aria-label={label} checked={checked} disabled={disabled} onCheckedChange={onChange}>
      <Switch.Thumb className={css.thumb} />
    </Switch.Root>
  );
}
