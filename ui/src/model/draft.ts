// A draft has the fields of a guideline that a person can edit. Each field has the name that the server's messages use.
import type { Action, Condition, Guideline, GuidelineCreate } from "../api/shapes";

export interface Draft {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
  locked: boolean;
  category: Guideline["category"];
  priority: number;
  project_id: string;
  condition: Condition;
  action: Action;
  metadata: Record<string, unknown>;
}

export const conditionLists = ["agents", "domains", "actions", "paths", "events", "gate_types"] as const;
export type ConditionList = (typeof conditionLists)[number];

// emptyDraft is a new guideline. Its default priority comes from the server.
export const emptyDraft: Omit<Draft, "priority"> = {
  id: "",
  name: "",
  description: "",
  enabled: true,
  locked: false,
  category: "custom",
  project_id: "",
  condition: {},
  action: { type: "instruction" },
  metadata: {},
};

export function draftOf(g: Guideline): Draft {
  return {
    id: g.id,
    name: g.name,
    description: g.description ?? "",
    enabled: g.enabled ?? true,
    locked: g.locked ?? false,
    category: g.category,
    priority: g.priority,
    project_id: g.project_id ?? "",
    condition: g.condition ?? {},
    action: g.action,
    metadata: (g.metadata as Record<string, unknown> | null) ?? {},
  };
}

// The function "created" returns the guideline that a request creates. Empty fields are left out.
export function created(draft: Draft): GuidelineCreate {
  const { project_id, locked, ...rest } = draft;
  const g: GuidelineCreate = { ...rest, condition: filled(draft.condition), action: filled(draft.action) as Action };
  if (project_id) g.project_id = project_id;
  if (locked) g.locked = true;
  return g;
}

// The function "filled" returns the object without its empty fields.
export function filled<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as T;
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}

// fields() returns the fields of a draft by their paths, such as action.tools_denied. Empty fields are left out.
export function fields(draft: Draft): Map<string, unknown> {
  const { condition, action, ...top } = draft;
  const all: (readonly [string, unknown])[] = [
    ...Object.entries(top),
    ...Object.entries(condition).map(([name, value]) => [`condition.${name}`, value] as const),
    ...Object.entries(action).map(([name, value]) => [`action.${name}`, value] as const),
  ];
  return new Map<string, unknown>(all.filter(([name, value]) => name === "enabled" || !isEmpty(value)));
}

export function withField(draft: Draft, path: string, value: unknown): Draft {
  const [group, name] = path.split(".") as [keyof Draft, string | undefined];
  if (!name) return { ...draft, [group]: value ?? (emptyDraft as Partial<Draft>)[group] };
  return { ...draft, [group]: { ...(draft[group] as object), [name]: value } };
}

export function same(a: unknown, b: unknown): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    v && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}

export function changedFields(from: Draft, to: Draft): string[] {
  const before = fields(from);
  const after = fields(to);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !same(before.get(name), after.get(name)));
}
