// The search parameters in the address of each screen. Unknown parameters and invalid values are dropped.
import {
  auditEntryKindValues,
  guidelineCategoryValues,
  pathsApiGuardrailsGetParametersQueryOrderValues as orders,
  pathsApiGuardrailsGetParametersQuerySortValues as sorts,
} from "../api/schema";

type Search = Record<string, unknown>;

// The router parses each value as JSON. If somebody pasted JSON, such as the input of a hook, the value is an object.
// The function "text" turns such a value back into a string.
function text(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function list(value: unknown): string[] | undefined {
  const values = (Array.isArray(value) ? value : [value]).map(text).filter((v) => v !== undefined);
  return values.length > 0 ? values : undefined;
}

function oneOf<T extends string>(values: readonly (T | undefined)[], value: unknown): T | undefined {
  return values.find((v) => v === value);
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

export const listDefaults = { sort: "priority" as const };

export function guidelinesSearch(s: Search) {
  return clean({
    search: text(s.search),
    category: oneOf(guidelineCategoryValues, s.category),
    enabled: flag(s.enabled),
    agent: text(s.agent),
    event: text(s.event),
    tag: text(s.tag),
    sort: oneOf(sorts, s.sort) ?? "priority",
    order: oneOf(orders, s.order),
    page: typeof s.page === "number" && s.page > 1 && !text(s.cursor) ? s.page : undefined,
    cursor: text(s.cursor),
    project: text(s.project), // the project of the guideline that is open
    decided: text(s.decided), // the project of the decision whose link opened the guideline
    from: text(s.from), // the guideline of which the new guideline is a copy
    tab: oneOf(["history", "json"] as const, s.tab),
  });
}

export function playgroundSearch(s: Search) {
  return clean({
    mode: oneOf(["call", "task"] as const, s.mode),
    tool: text(s.tool),
    command: text(s.command),
    path: text(s.path),
    payload: text(s.payload),
    agent: text(s.agent),
    against: text(s.against), // what the call is compared with
    domain: text(s.domain),
    action: text(s.action),
    event: text(s.event),
    paths: list(s.paths),
    prompt: text(s.prompt),
  });
}

export function auditSearch(s: Search) {
  return clean({
    kind: oneOf(auditEntryKindValues, s.kind),
    event_type: text(s.event_type),
    result: text(s.result),
    guideline_id: text(s.guideline_id),
    actor: text(s.actor),
    agent: text(s.agent),
    session: text(s.session),
    project: text(s.project),
    mode: oneOf(["observe", "enforce", "off"] as const, s.mode),
    since: oneOf(["hour", "day", "week"] as const, s.since),
    date_from: text(s.date_from),
    date_to: text(s.date_to),
    cursor: text(s.cursor),
    entry: text(s.entry),
    live: s.live === true ? true : undefined,
  });
}

export function safetySearch(s: Search) {
  return clean({
    since: oneOf(["hour", "day", "week"] as const, s.since),
    result: oneOf(["hold", "block"] as const, s.result),
    mode: oneOf(["observe", "enforce", "off"] as const, s.mode),
    webhook: text(s.webhook),
  });
}

export function replaySearch(s: Search) {
  return clean({
    since: oneOf(["hour", "day", "week"] as const, s.since),
    result: text(s.result),
    actor: text(s.actor),
    session: text(s.session),
    date_from: text(s.date_from),
    date_to: text(s.date_to),
    draft: text(s.draft), // the unsaved draft of this browser, as project/id
  });
}

export function sessionsSearch(s: Search) {
  return clean({ since: oneOf(["now", "hour", "day", "week"] as const, s.since), project: text(s.project), cursor: text(s.cursor) });
}

// The address of the packs contains the guideline that is open.
export function packsSearch(s: Search) {
  return clean({ open: text(s.open) });
}

type Cleaned<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function clean<T extends Search>(search: T): Cleaned<T> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Cleaned<T>;
}

export type GuidelinesSearch = ReturnType<typeof guidelinesSearch>;
export type PlaygroundSearch = ReturnType<typeof playgroundSearch>;
export type ReplaySearch = ReturnType<typeof replaySearch>;
export type AuditSearch = ReturnType<typeof auditSearch>;
