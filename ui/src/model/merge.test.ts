import { describe, expect, it } from "vitest";
import { changedFields, emptyDraft, withField } from "./draft";
import type { Draft } from "./draft";
import { merge } from "./merge";

const base: Draft = {
  ...emptyDraft,
  id: "a",
  name: "A",
  priority: 500,
  condition: { agents: ["backend"] },
  action: { type: "tool_restriction", tools_denied: ["Write(a/*)"] },
};

describe("merging two changes", () => {
  it("takes both changes if they are in different fields", () => {
    const mine = { ...base, priority: 600 };
    const theirs = withField(base, "action.tools_denied", ["Write(b/*)"]);
    const { merged, conflicts, fromThem } = merge(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(merged.priority).toBe(600);
    expect(merged.action.tools_denied).toEqual(["Write(b/*)"]);
    expect(fromThem).toEqual(["action.tools_denied"]);
  });
  it("finds a conflict when both changed a field in different ways", () => {
    const mine = withField(base, "condition.agents", ["frontend"]);
    const theirs = withField(base, "condition.agents", ["ops"]);
    const { merged, conflicts } = merge(base, mine, theirs);
    expect(conflicts).toEqual([{ field: "condition.agents", base: ["backend"], mine: ["frontend"], theirs: ["ops"] }]);
    expect(merged.condition.agents).toEqual(["frontend"]);
  });
  it("finds no conflict when both made the same change", () => {
    const change = { ...base, name: "B" };
    expect(merge(base, change, { ...change }).conflicts).toEqual([]);
  });
  it("removes a field that they removed and I did not change", () => {
    const theirs = withField(base, "condition.agents", undefined);
    expect(merge(base, { ...base, priority: 1 }, theirs).merged.condition.agents).toBeUndefined();
  });
  it("keeps a guideline off that I turned off", () => {
    expect(merge(base, { ...base, enabled: false }, { ...base, priority: 1 }).merged.enabled).toBe(false);
  });
  it("finds a conflict when I changed what they removed", () => {
    const theirs = withField(base, "condition.agents", []);
    const mine = withField(base, "condition.agents", ["ops"]);
    expect(merge(base, mine, theirs).conflicts.map((c) => c.field)).toEqual(["condition.agents"]);
  });
});

describe("which fields a draft changes", () => {
  it("an empty list equals no list", () => expect(changedFields(base, withField(base, "condition.paths", []))).toEqual([]));
  it("the order of keys does not matter", () => {
    const a = { ...base, metadata: { x: 1, y: 2 } };
    expect(changedFields(a, { ...base, metadata: { y: 2, x: 1 } })).toEqual([]);
  });
  it("the order of a list matters", () => {
    const a = withField(base, "condition.agents", ["a", "b"]);
    expect(changedFields(a, withField(base, "condition.agents", ["b", "a"]))).toEqual(["condition.agents"]);
  });
});
