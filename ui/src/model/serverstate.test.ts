import { expect, test } from "vitest";
import { stateSentence } from "./serverstate";

test.each([
  [{ status: "ready", source: "store" }, /^$/],
  [{ status: "degraded", source: "store", fault: "read_only" }, /^The store is read-only\./],
  [{ status: "degraded", source: "store", fault: "unavailable" }, /^The store does not answer \(unavailable\)\./],
  [{ status: "degraded", source: "snapshot", fault: "unavailable" }, /last known guidelines apply/],
  [{ status: "degraded", source: "snapshot" }, /^The server cannot read the guidelines\. The last known/],
  [{ status: "unavailable", source: "open", fault: "internal" }, /\(internal\) and has no earlier copy/],
  [{ status: "ending" }, /^The server is stopping\./],
])("%j", (state, want) => {
  expect(stateSentence(state)).toMatch(want);
});
