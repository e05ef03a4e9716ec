// Filters and contexts that a person saved under a name. They are kept in the browser.
import { create } from "zustand";

export interface View {
  name: string;
  search: Record<string, unknown>;
}

const keyOf = (kind: string) => `guardrails.views.${kind}`;

function read(kind: string): View[] {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(keyOf(kind)) ?? "[]");
    return Array.isArray(views) ? (views as View[]).filter((view) => typeof view?.name === "string" && typeof view.search === "object") : [];
  } catch {
    return [];
  }
}

interface Views {
  of: Record<string, View[]>;
  put: (kind: string, view: View) => void;
  forget: (kind: string, name: string) => void;
}

export const useViews = create<Views>((set, get) => {
  const keep = (kind: string, views: View[]) => {
    localStorage.setItem(keyOf(kind), JSON.stringify(views));
    set({ of: { ...get().of, [kind]: views } });
  };
  const others = (kind: string, name: string) => read(kind).filter((view) => view.name !== name);
  return {
    of: Object.fromEntries(["guidelines", "audit", "playground"].map((kind) => [kind, read(kind)])),
    put: (kind, view) => keep(kind, [...others(kind, view.name), view].sort((a, b) => a.name.localeCompare(b.name))),
    forget: (kind, name) => keep(kind, others(kind, name)),
  };
});
