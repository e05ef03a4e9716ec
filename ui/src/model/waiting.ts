// A held message waits until a person decides something in its session.
import type { AuditEntry } from "../api/shapes";

// The function "waits" reports whether an entry is a held message that still waits. The parameter "answers" has the
// decisions of people.
export function waits(held: AuditEntry, answers: AuditEntry[]): boolean {
  if (held.decision?.result !== "hold") return false;
  const isLater = (answer: AuditEntry) => Date.parse(answer.timestamp) > Date.parse(held.timestamp);
  return !held.session_id || !answers.some((answer) => answer.session_id === held.session_id && isLater(answer));
}
