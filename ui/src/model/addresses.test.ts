import { expect, test } from "vitest";
import { auditSearch, guidelinesSearch, playgroundSearch } from "./addresses";

test("the input of a hook in an address is a text, although the router reads it as JSON", () => {
  const input = { tool_name: "Bash", tool_input: { command: "ls" } };
  expect(playgroundSearch({ command: input }).command).toBe(JSON.stringify(input));
});

test.each([
  [{ since: "year" }, {}],
  [{ kind: "nothing" }, {}],
  [{ live: "yes" }, {}],
  [{ session: 17 }, { session: "17" }],
  [{ agent: "backend" }, { agent: "backend" }],
  [{ mode: "observe" }, { mode: "observe" }],
  [{ mode: "nothing" }, {}],
  [{ result: "" }, {}],
])("the address %j of the audit is read as %j", (given, want) => {
  expect(auditSearch(given)).toEqual(want);
});

test.each([
  [{ page: 3 }, { page: 3 }],
  [{ page: 1 }, {}],
  [{ cursor: "abc" }, { cursor: "abc" }],
  [{ cursor: "abc", page: 3 }, { cursor: "abc" }],
])("the address %j of the guidelines names one page", (given, want) => {
  expect(guidelinesSearch(given)).toEqual({ sort: "priority", ...want });
});
