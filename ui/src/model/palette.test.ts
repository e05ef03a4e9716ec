import { expect, test } from "vitest";
import { matching } from "./palette";

const offer = (name: string, about?: string) => ({ id: name, name, about, run: () => undefined });
const offers = [offer("Audit", "screen"), offer("New guideline", "action"), offer("Sign out", "action")];

test.each([
  ["", ["Audit", "New guideline", "Sign out"]],
  ["aud", ["Audit"]],
  ["GUIDELINE new", ["New guideline"]],
  ["action", ["New guideline", "Sign out"]],
  ["nothing like this", []],
])("%j finds %j", (typed, names) => {
  expect(matching(offers, typed).map((each) => each.name)).toEqual(names);
});
