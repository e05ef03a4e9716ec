// The condition and the action of a guideline as plain sentences.
import type { Action, Condition } from "../api/shapes";

export function conditionSentence(condition: Condition | null | undefined): string {
  const parts = Object.entries(phrases)
    .map(([field, phrase]) => phrase(condition?.[field as keyof typeof phrases] ?? []))
    .filter(Boolean);
  const custom = Object.entries(condition?.custom ?? {}).map(([name, value]) => `${name} is ${valueWords(value)}`);
  const all = [...parts, ...custom];
  return all.length === 0 ? "Applies always." : `Applies when ${all.join(", and ")}.`;
}

const phrases = {
  agents: (v: string[]) => v.length > 0 && `the agent is ${either(v)}`,
  domains: (v: string[]) => v.length > 0 && `the domain is ${either(v)}`,
  actions: (v: string[]) => v.length > 0 && `the action is ${either(v)}`,
  paths: (v: string[]) => v.length > 0 && `a path matches ${either(v)}`,
  events: (v: string[]) => v.length > 0 && `the event ${either(v)} happens`,
  gate_types: (v: string[]) => v.length > 0 && `the gate is ${either(v)}`,
};

export function either(values: readonly string[]): string {
  if (values.length < 2) return values.join("");
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return either(value.map((v) => String(v)));
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function actionSentence(action: Action): string {
  const parts = [
    list("Denies", action.tools_denied),
    list("Allows only", action.tools_allowed),
    gate(action),
    action.max_files ? `At most ${action.max_files} files in a commit` : "",
    action.require_tests ? "Tests must pass before a commit" : "",
    action.require_review ? "A merge needs a review" : "",
    action.instruction ? "Tells the agent what to do" : "",
    action.type === "telemetry" ? "Sets what is recorded" : "",
  ].filter(Boolean);
  return parts.length === 0 ? "Does nothing yet." : parts.join(". ") + ".";
}

function list(verb: string, values: string[] | null | undefined): string {
  if (!values?.length) return "";
  const rest = values.length > 2 ? ` and ${values.length - 2} more` : "";
  return `${verb} ${values.slice(0, 2).join(", ")}${rest}`;
}

function gate(action: Action): string {
  if (!action.gate_type) return "";
  const verb = action.gate_threshold === "advisory" ? "Warns at the gate" : "Asks a person at the gate";
  const calls = list(" about", action.tools_asked);
  return `${verb} ${action.gate_type}${calls}`;
}
