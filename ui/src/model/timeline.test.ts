import { expect, test } from "vitest";
import type { AuditEntry } from "../api/shapes";
import { turns } from "./timeline";

let seq = 0;
const entry = (event_type: string, result: string, agent: string, call = ""): AuditEntry =>
  ({
    id: `e${++seq}`, writer: "w", kind: "decision", seq, timestamp: new Date(seq * 1000).toISOString(), event_type, hash: "h",
    decision: { result }, context: { agent, ...(call ? { metadata: { tool_use_id: call } } : {}) },
  }) as AuditEntry;

const shown = (entries: AuditEntry[]) =>
  turns(entries).map((turn) => [turn.agent, ...turn.steps.map((s) => [s.entry, ...s.answers].map((e) => e.decision?.result).join(">"))]);

test("an answer belongs to its question, and steps are grouped by agent", () => {
  const entries = [
    entry("decision", "allow", "backend", "c1"),
    entry("decision", "ask", "backend", "c2"),
    entry("decision", "deny", "tester", "c3"),
    entry("gate", "approved", "backend", "c2"),
    entry("remember", "session", "backend", "c2"),
    entry("decision", "warn", "backend", "c4"),
  ];
  const want = [["backend", "allow", "ask>approved>session"], ["tester", "deny"], ["backend", "warn"]];
  expect(shown(entries)).toEqual(want);
  expect(shown([...entries].reverse())).toEqual(want);
});

test("an answer without its question is a step of its own", () => {
  expect(shown([entry("gate", "approved", "backend", "c9"), entry("gap", "allow", "backend")])).toEqual([["backend", "approved", "allow"]]);
});
