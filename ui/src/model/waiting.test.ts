import { expect, test } from "vitest";
import type { AuditEntry } from "../api/shapes";
import { waits } from "./waiting";

const entry = (result: string, session_id: string | undefined, minute: number) =>
  ({ timestamp: new Date(minute * 60_000).toISOString(), session_id, decision: { result } }) as AuditEntry;

test.each([
  ["a held message", entry("hold", "a", 5), [], true],
  ["a later answer in its session", entry("hold", "a", 5), [entry("approved", "a", 6)], false],
  ["an earlier answer", entry("hold", "a", 5), [entry("approved", "a", 4)], true],
  ["an answer in another session", entry("hold", "a", 5), [entry("approved", "b", 6)], true],
  ["a program without a session", entry("hold", undefined, 5), [entry("approved", undefined, 6)], true],
  ["a blocked message", entry("block", "a", 5), [], false],
])("%s", (_name, held, answers, want) => {
  expect(waits(held, answers)).toBe(want);
});
