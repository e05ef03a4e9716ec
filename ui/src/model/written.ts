// A guideline that a person writes as JSON. The JSON becomes a draft only if the draft can keep every part of the JSON.
import type { Guideline } from "../api/shapes";
import { conditionLists, draftOf } from "./draft";
import type { Draft } from "./draft";

type Kind = "text" | "number" | "flag" | "texts" | "object";

const top: Record<string, Kind> = {
  id: "text", name: "text", description: "text", enabled: "flag", locked: "flag", category: "text", priority: "number", project_id: "text",
  condition: "object", action: "object", metadata: "object",
};
const condition: Record<string, Kind> = { ...Object.fromEntries(conditionLists.map((name) => [name, "texts" as const])), custom: "object" };
const action: Record<string, Kind> = {
  type: "text", instruction: "text", tools_allowed: "texts", tools_denied: "texts", tools_asked: "texts", gate_type: "text", gate_threshold: "text",
  max_files: "number", require_tests: "flag", require_review: "flag", parameters: "object",
};

export interface Written {
  draft?: Draft;
  problem?: string; // why the text is not a draft yet
}

// The function "written" reads the text as a draft. If the parameter "existing" is set, the draft must keep the id and
// the project of this guideline.
export function written(text: string, existing: { id: string; project_id: string } | null): Written {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not valid JSON yet: ${(error as Error).message}` };
  }
  const problem =
    wrong("", value, top) ?? required(value as object) ?? wrong("condition.", (value as Guideline).condition ?? {}, condition) ?? wrong("action.", (value as Guideline).action, action);
  if (problem) return { problem };
  const draft = draftOf(value as Guideline);
  if (existing && draft.id !== existing.id) return { problem: `The id cannot be changed. It must stay ${existing.id}.` };
  if (existing && draft.project_id !== existing.project_id) return { problem: `The project cannot be changed. It must stay ${existing.project_id || "empty"}.` };
  return { draft };
}

function required(value: object): string | undefined {
  const missing = ["id", "name", "category", "priority", "action"].find((name) => !(name in value));
  return missing && `${missing} is missing.`;
}

function wrong(prefix: string, value: unknown, kinds: Record<string, Kind>): string | undefined {
  if (!isObject(value)) return `${prefix.replace(/\.$/, "") || "The text"} must be a JSON object.`;
  for (const [name, item] of Object.entries(value)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) return `${prefix}${name} is not a field of a guideline. Use ${Object.keys(kinds).join(", ")}.`;
    if (!isOf(kind, item)) return `${prefix}${name} must be ${words[kind]}.`;
  }
  return undefined;
}

const words: Record<Kind, string> = { text: "a string", number: "a number", flag: "true or false", texts: "a list of strings", object: "a JSON object" };

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    default:
      return isObject(value);
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
