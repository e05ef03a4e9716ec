import { expect, test } from "vitest";
import { created, draftOf } from "./draft";
import { written } from "./written";

const whole = {
  id: "a", name: "A", description: "Why.", enabled: false, locked: true, category: "security", priority: 0, project_id: "p",
  condition: { agents: ["x"], domains: ["d"], actions: ["i"], paths: ["src/*"], events: ["push"], gate_types: ["g"], custom: { branch: ["main"], n: 1 } },
  action: {
    type: "hitl_gate", instruction: "Do it.", tools_allowed: ["Read"], tools_denied: ["Write"], tools_asked: ["Bash"], gate_type: "g",
    gate_threshold: "advisory", max_files: 3, require_tests: true, require_review: true, parameters: { instead: "x", other: { deep: [1, null] } },
  },
  metadata: { tags: ["team"] },
};

test("no field gets lost on the way to a draft and back", () => {
  const { draft } = written(JSON.stringify(whole), null);
  expect(draft && created(draft)).toEqual(whole);
});

test("a draft that is written as JSON is read as the same draft", () => {
  const draft = draftOf(whole as never);
  expect(written(JSON.stringify(created(draft), null, 2), { id: "a", project_id: "p" }).draft).toEqual(draft);
});

test.each([
  ["{", /not valid JSON yet/],
  ["[]", /The text must be a JSON object/],
  [JSON.stringify({ ...whole, colour: 1 }), /^colour is not a field of a guideline/],
  [JSON.stringify({ ...whole, priority: "high" }), /^priority must be a number/],
  [JSON.stringify({ ...whole, condition: { agents: "x" } }), /^condition\.agents must be a list of strings/],
  [JSON.stringify({ ...whole, action: { type: "telemetry", toString: 1 } }), /^action\.toString is not a field/],
  [JSON.stringify({ ...whole, action: undefined }), /^action is missing/],
  [JSON.stringify({ ...whole, action: null }), /^action must be a JSON object/],
])("%s is not a draft", (text, problem) => {
  expect(written(text, null)).toEqual({ problem: expect.stringMatching(problem) as string });
});

test("the id and the project of a saved guideline cannot be changed", () => {
  expect(written(JSON.stringify(whole), { id: "b", project_id: "p" }).problem).toBe("The id cannot be changed. It must stay b.");
  expect(written(JSON.stringify(whole), { id: "a", project_id: "" }).problem).toBe("The project cannot be changed. It must stay empty.");
});
