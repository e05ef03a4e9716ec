// A message that was held waits for a person, until a person decides something in its session.
import type { AuditEntry } from "../api/shapes";

// waits reports whether a held message still waits, because no person has decided anything in its session since then.
// answers are the decisions of people.
export function waits(held: AuditEntry, answers: AuditEntry[]): boolean {
  if (held.decision?.result !== "hold") return false;
  const isLater = (answer: AuditEntry) => Date.parse(answer.timestamp) > Date.parse(held.timestamp);
  return !held.session_id || !answers.some((answer) => answer.session_id === held.session_id && isLater(answer));
}
