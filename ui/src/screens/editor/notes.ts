import { Failure } from "../../api/client";
import type { Note } from "../../parts/Field";

interface Located extends Note {
  field: string;
}

// notesOf returns what the server refused, by field.
export function notesOf(saveError: Error | null) {
  const refused = saveError instanceof Failure ? (saveError.problem?.errors ?? []) : [];
  const all = distinct(refused.map((p) => located(p.path, p.message, p.remedy, "deny")));
  const taken = (field: string) => all.filter((note) => note.field === field || note.field.startsWith(`${field}[`) || note.field.startsWith(`${field}.`));
  return { of: taken, rest: all.filter((note) => !isShown(note.field)) };
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
