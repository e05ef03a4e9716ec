import { useState } from "react";
import { same } from "../model/draft";
import { useViews } from "../state/views";
import { Button } from "./Button";
import { inputClass } from "./Field";
import css from "./Saved.module.css";

interface Props {
  kind: "guidelines" | "audit" | "playground";
  what: string; // such as "filter"
  current: Record<string, unknown>; // what would be saved; empty if there is nothing to save
  onOpen: (search: Record<string, unknown>) => void;
}

// The component Saved stores the current filter or context of a screen under a name, and opens the stored ones.
export function Saved({ kind, what, current, onOpen }: Props) {
  const { of, put, forget } = useViews();
  const views = of[kind] ?? [];
  const open = views.find((view) => same(view.search, current));
  const [name, setName] = useState<string | null>(null);
  const isEmpty = Object.keys(current).length === 0;
  if (views.length === 0 && isEmpty) return null;
  return (
    <form
      className={css.saved}
      onSubmit={(event) => {
        event.preventDefault();
        if (name?.trim()) put(kind, { name: name.trim(), search: current });
        setName(null);
      }}
    >
      {views.length > 0 && (
        <select
          aria-label={`Saved ${what}s`}
          className={inputClass}
          value={open?.name ?? ""}
          onChange={(e) => {
            const view = views.find((each) => each.name === e.target.value);
            if (view) onOpen(view.search);
          }}
        >
          <option value="">saved {what}s</option>
          {views.map((view) => (
            <option key={view.name}>{view.name}</option>
          ))}
        </select>
      )}
      {!isEmpty && !open && name === null && <Button onClick={() => setName("")}>Save this {what}</Button>}
      {name !== null && (
        <>
          <label>
            <span className="hidden">Name of the {what}</span>
            <input
              className={inputClass}
              autoFocus
              required
              maxLength={60}
              placeholder="Name"
              value={name}
              onChange={(e) => setName(e.target.value)}
              onKeyDown={(e) => e.key === "Escape" && setName(null)}
            />
          </label>
          <Button type="submit">Save</Button>
        </>
      )}
      {open && <Button onClick={() => forget(kind, open.name)}>Forget this {what}</Button>}
    </form>
  );
}
