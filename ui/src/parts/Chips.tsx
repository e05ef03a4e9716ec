import { Combobox } from "@base-ui/react/combobox";
import { useState } from "react";
import { pieces } from "../model/hostile";
import css from "./Chips.module.css";
import { Raw } from "./Raw";

interface Props {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  values: string[];
  suggestions?: { name: string; about?: string }[];
  placeholder?: string;
  readOnly?: boolean;
  mono?: boolean;
  onChange: (values: string[]) => void;
}

// The component Chips edits a list of values. It suggests known values, and accepts any other value that is typed.
export function Chips({ values, suggestions = [], placeholder, readOnly, mono, onChange, ...control }: Props) {
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    const fresh = text.split("\n").map((line) => line.trim()).filter((line) => line && !values.includes(line));
    setTyped("");
    if (fresh.length > 0) onChange([...values, ...fresh]);
  };
  const word = typed.trim();
  const offered = suggestions.map((s) => s.name).filter((name) => name.toLowerCase().includes(word.toLowerCase()));
  const items = word && !offered.includes(word) ? [...offered, word] : offered;
  return (
    <Combobox.Root
      multiple
      items={items}
      filter={null}
      value={values}
      readOnly={readOnly}
      onValueChange={(next) => {
        setTyped("");
        onChange(next);
      }}
      inputValue={typed}
      onInputValueChange={(next, details) => {
        if (details.reason === "input-change") setTyped(next);
      }}
      autoHighlight
    >
      <Combobox.Chips className={css.chips} data-mono={mono || undefined} data-invalid={control["aria-invalid"] || undefined}>
        {values.map((value) => (
          <Combobox.Chip key={value} className={css.chip} aria-label={pieces(value).map((p) => p.code ?? p.text).join("")}>
            <Raw text={value} />
            {!readOnly && (
              <Combobox.ChipRemove className={css.remove} aria-label={`Remove ${value}`}>
                <span aria-hidden="true">×</span>
              </Combobox.ChipRemove>
            )}
          </Combobox.Chip>
        ))}
        <Combobox.Input
          {...control}
          className={css.input}
          placeholder={values.length === 0 ? placeholder : ""}
          onBlur={() => word && add(word)}
          onPaste={(event) => {
            const text = event.clipboardData.getData("text");
            if (!text.includes("\n")) return;
            event.preventDefault();
            add(text);
          }}
        />
      </Combobox.Chips>
      <Combobox.Portal>
        <Combobox.Positioner className={css.positioner} sideOffset={4}>
          <Combobox.Popup className={css.popup} data-empty={items.length === 0 || undefined}>
            <Combobox.List>
              {(item: string) => (
                <Combobox.Item key={item} value={item} className={css.item}>
                  <Raw text={item} className={mono ? "mono" : ""} />
                  <span className={css.about}>{aboutOf(item)}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );

  function aboutOf(item: string): string {
    const found = suggestions.find((s) => s.name === item);
    if (found) return found.about ?? "";
    return suggestions.length > 0 ? "a new value" : "";
  }
}
