import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Failure } from "../../api/client";
import { lint } from "../../api/queries";
import type { GuidelineCreate } from "../../api/shapes";
import { created } from "../../model/draft";
import type { Draft } from "../../model/draft";
import type { Note } from "../../parts/Field";

const pause = 300;

interface Located extends Note {
  field: string;
}

// useNotes returns the server's notes about each field of a draft: the reasons for which the server would refuse the
// draft, and the findings of lint. It also returns which guidelines the draft overrides, and which guidelines override
// the draft. The result "valid" is the draft that the server checked last, or null if the server would refuse the
// draft.
export function useNotes(draft: Draft, isDirty: boolean, saveError: Error | null) {
  const settled = useSettled(draft);
  const sent = useMemo(() => created(settled), [settled]);
  const checked = useQuery({ ...lint(sent, settled.project_id || undefined), enabled: isDirty || settled.id !== "" });
  const [valid, setValid] = useState<GuidelineCreate | null>(null);
  useEffect(() => {
    if (checked.data && !checked.isPlaceholderData) setValid(checked.data.problems.length === 0 ? sent : null);
  }, [checked.data, checked.isPlaceholderData, sent]);
  const refused = saveError instanceof Failure ? (saveError.problem?.errors ?? []) : [];
  const problems = [...(checked.data?.problems ?? []), ...refused].map((p) => located(p.path, p.message, p.remedy, "deny"));
  const findings = (checked.data?.findings ?? []).map((f) => {
    const tone = f.severity === "error" ? "deny" : "warn";
    return f.id === draft.id ? located(f.field ?? "", f.message, f.remedy, tone) : located("", `${f.id}: ${f.message}`, f.remedy, tone);
  });
  const all = isDirty ? distinct([...problems, ...findings]) : [];
  const taken = (field: string) => all.filter((note) => note.field === field || note.field.startsWith(`${field}[`) || note.field.startsWith(`${field}.`));
  return { all: all.map((note) => ({ ...note, text: [note.field, note.text].filter(Boolean).join(": ") })), of: taken, rest: all.filter((note) => !isShown(note.field)), overrides: checked.data?.overrides ?? [], valid };
}

const shown = ["id", "name", "description", "enabled", "locked", "category", "priority", "project_id", "metadata", "condition.", "action."];

function isShown(field: string): boolean {
  return shown.some((name) => (name.endsWith(".") ? field.startsWith(name) : field === name || field.startsWith(name + ".") || field.startsWith(name + "[")));
}

function located(path: string, message: string, remedy: string | undefined, tone: Note["tone"]): Located {
  return { field: path.replace(/^guidelines\[\d+\]\.?/, ""), text: [message, remedy].filter(Boolean).join(" "), tone };
}

function distinct(notes: Located[]): Located[] {
  return [...new Map(notes.map((note) => [`${note.field} ${note.text}`, note])).values()];
}

// useSettled returns a new value only after it has not changed for a moment, so that the page does not send a request
// for each key that is pressed.
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
