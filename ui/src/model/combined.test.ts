import { expect, test } from "vitest";
import { pieces, sizeOf } from "./combined";

const parts = [
  { id: "a", name: "First" },
  { id: "b", name: "Second" },
];
const text = "### First (a)\nBe brief.\n\nVery brief.\n\n### Second (b)\nBe kind.\n\n(Left out for length: c.)";
const own = (id: string) => pieces(text, parts, id).filter((piece) => piece.isOwn).map((piece) => piece.text);

test.each([
  ["a", ["### First (a)\nBe brief.\n\nVery brief."]],
  ["b", ["### Second (b)\nBe kind."]],
  ["c", []],
])("the part of %s is found in the text", (id, want) => {
  expect(own(id)).toEqual(want);
});

test("the pieces are the whole text", () => {
  for (const id of ["a", "b", "c"]) expect(pieces(text, parts, id).map((piece) => piece.text).join("")).toBe(text);
});

test("an empty text has no pieces", () => {
  expect(pieces("", [], "a")).toEqual([]);
});

test("a character beyond the basic plane counts once", () => {
  expect(sizeOf("a😀")).toBe(2);
});
