import { describe, expect, it } from "vitest";
import { actionSentence, conditionSentence } from "./sentence";

describe("a condition as a sentence", () => {
  it.each([
    ["without fields", {}, "Applies always."],
    ["with empty lists", { agents: [], paths: null }, "Applies always."],
    ["with one value", { agents: ["backend"] }, "Applies when the agent is backend."],
    [
      "with several fields",
      { agents: ["backend", "frontend", "ops"], paths: ["src/*"], events: ["commit"] },
      "Applies when the agent is backend, frontend or ops, and a path matches src/*, and the event commit happens.",
    ],
    ["with custom facts", { custom: { branch: ["main", "next"], tests: true } }, "Applies when branch is main or next, and tests is true."],
  ])("%s", (_, condition, want) => expect(conditionSentence(condition)).toBe(want));
});

describe("an action as a sentence", () => {
  it.each([
    ["that denies", { type: "tool_restriction" as const, tools_denied: ["Write(a/*)", "Bash(rm *)", "WebFetch"] }, "Denies Write(a/*), Bash(rm *) and 1 more."],
    ["that asks", { type: "hitl_gate" as const, gate_type: "devops" }, "Asks a person at the gate devops."],
    ["that only warns", { type: "hitl_gate" as const, gate_type: "devops", gate_threshold: "advisory" as const }, "Warns at the gate devops."],
    ["with limits", { type: "constraint" as const, max_files: 10, require_tests: true }, "At most 10 files in a commit. Tests must pass before a commit."],
    ["without content", { type: "instruction" as const }, "Does nothing yet."],
  ])("%s", (_, action, want) => expect(actionSentence(action)).toBe(want));
});
