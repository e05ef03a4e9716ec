import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import type { Guideline } from "../../api/shapes";
import { withField } from "../../model/draft";
import type { Draft } from "../../model/draft";
import { plain } from "../../model/words";
import { Button } from "../../parts/Button";
import css from "./ConflictDialog.module.css";
import { Value } from "./Diff";
import type { FoundConflict } from "./save";

interface Props {
  conflict: FoundConflict;
  onCancel: () => void;
  onResolve: (resolved: Draft, theirs: Guideline) => void;
}

type Choice = "mine" | "theirs";

// ConflictDialog asks the person which value to keep for each field that both sides changed.
export function ConflictDialog({ conflict, onCancel, onResolve }: Props) {
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const isDone = conflict.conflicts.every((c) => choices[c.field]);
  const resolve = () => {
    const resolved = conflict.conflicts
      .filter((c) => choices[c.field] === "theirs")
      .reduce((draft, c) => withField(draft, c.field, c.theirs), conflict.merged);
    onResolve(resolved, conflict.theirs);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onCancel()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup}>
          <Dialog.Title className={css.title}>Somebody else changed this guideline</Dialog.Title>
          <Dialog.Description className={css.text}>
            Version {conflict.theirs.version} was saved after you began. You both changed the fields below. Choose one value for each.
            {conflict.fromThem.length > 0 && ` Their changes to these fields are already included: ${conflict.fromThem.map(plain).join(", ")}.`}
          </Dialog.Description>
          {conflict.conflicts.map((c) => (
            <fieldset key={c.field} className={css.field}>
              <legend>{plain(c.field)}</legend>
              <div className={css.base}>
                before: <Value value={c.base} />
              </div>
              {(["mine", "theirs"] as const).map((side) => (
                <label key={side} className={css.choice}>
                  <input
                    type="radio"
                    name={c.field}
                    checked={choices[c.field] === side}
                    onChange={() => setChoices({ ...choices, [c.field]: side })}
                  />
                  <span>{side === "mine" ? "yours: " : "theirs: "}</span>
                  <Value value={c[side]} />
                </label>
              ))}
            </fieldset>
          ))}
          <div className={css.buttons}>
            <Button onClick={onCancel}>Back to the editor</Button>
            <Button kind="main" disabled={!isDone} onClick={resolve}>
              Save the merged version
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
