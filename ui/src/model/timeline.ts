// The timeline of a session, from the entries of the audit.
import type { AuditEntry } from "../api/shapes";

// Step is a call or another event, with the answers of the person to it.
export interface Step {
  entry: AuditEntry;
  answers: AuditEntry[];
}

// Turn has the steps of one agent, until another agent acts.
export interface Turn {
  agent: string;
  steps: Step[];
}

// The function "turns" puts the entries of a session in order, joins each answer with its question, and groups the
// steps by the agent.
export function turns(entries: AuditEntry[]): Turn[] {
  const out: Turn[] = [];
  const asked = new Map<string, Step>();
  for (const entry of inOrder(entries)) {
    const call = callOf(entry);
    const question = asked.get(call);
    if (call && question && isAnswer(entry)) {
      question.answers.push(entry);
      continue;
    }
    const step = { entry, answers: [] };
    if (call) asked.set(call, step);
    const agent = agentOf(entry);
    const last = out.at(-1);
    if (last?.agent === agent) last.steps.push(step);
    else out.push({ agent, steps: [step] });
  }
  return out;
}

function inOrder(entries: AuditEntry[]): AuditEntry[] {
  return [...entries].sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp) || a.seq - b.seq);
}

export const agentOf = (entry: AuditEntry) => entry.context?.agent || entry.actor || "";

const isAnswer = (entry: AuditEntry) => entry.event_type === "gate" || entry.event_type === "remember";

function callOf(entry: AuditEntry): string {
  const id = (entry.context?.metadata as Record<string, unknown> | undefined)?.["tool_use_id"];
  return typeof id === "string" ? id : "";
}
