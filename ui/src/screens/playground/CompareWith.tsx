import { Combobox } from "@base-ui/react/combobox";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { guidelines } from "../../api/queries";
import chips from "../../parts/Chips.module.css";
import { Field, inputClass } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import { keptDrafts } from "../../state/drafts";
import { useSettled } from "../editor/notes";
import { keyOf } from "../guidelines/selection";

const most = 20;

interface Choice {
  value: string; // as in the address
  name: string;
  about: string;
}

// CompareWith searches the drafts of this browser and the guidelines of the store.
export function CompareWith({ value, onChange }: { value: string; onChange: (against: string) => void }) {
  const [typed, setTyped] = useState("");
  const words = useSettled(typed.trim());
  const { data } = useQuery(guidelines({ search: words || undefined, sort: "name", page_size: most }));
  const stored = (data?.guidelines ?? []).map((g) => ({ value: `without:${keyOf(g)}`, name: g.name, about: "the store without this guideline" }));
  const kept = drafts();
  const isNamed = ({ name }: Choice) => typed.trim().toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word));
  const chosen = [...kept, ...stored].find((choice) => choice.value === value) ?? unnamed(value);
  return (
    <Field label="Compare with" hint="An unsaved draft in this browser, or the store without one of its guidelines.">
      {(control) => (
        <Combobox.Root
          // Until the server has answered for the typed text, offer only choices whose name contains the words of this
          // text.
          items={[...kept.filter(isNamed), ...(words === typed.trim() ? stored : stored.filter(isNamed))]}
          filter={null}
          value={chosen}
          isItemEqualToValue={(a: Choice, b: Choice) => a.value === b.value}
          itemToStringLabel={(choice: Choice) => choice.name}
          onValueChange={(choice: Choice | null) => onChange(choice?.value ?? "")}
          onInputValueChange={(text, { reason }) => setTyped(reason === "input-change" ? text : "")}
          autoHighlight
        >
          <Combobox.Input {...control} className={inputClass} placeholder="nothing" />
          <Combobox.Portal>
            <Combobox.Positioner className={chips.positioner} sideOffset={4}>
              <Combobox.Popup className={chips.popup}>
                <Combobox.List>
                  {(choice: Choice) => (
                    <Combobox.Item key={choice.value} value={choice} className={chips.item}>
                      <Raw text={choice.name} />
                      <span className={chips.about}>{choice.about}</span>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

function drafts(): Choice[] {
  return keptDrafts().map(({ id, project, kept }) => ({
    value: `draft:${project}/${id}`,
    name: kept.draft.name || kept.draft.id || "the new guideline",
    about: "a draft that is not saved",
  }));
}

// unnamed() returns the choice for a guideline that the last search did not find. It shows the id instead of the name.
function unnamed(value: string): Choice | null {
  return value ? { value, name: value.slice(value.lastIndexOf("/") + 1), about: "" } : null;
}
