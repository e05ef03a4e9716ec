import { describe, expect, it } from "vitest";
import { callOf, hookInput, shellQuoted, utf16 } from "./call";

describe("a call from what was typed", () => {
  it.each([
    ["nothing", "  ", null],
    ["a command", "git push", { command: "git push" }],
    ["a command that begins with a brace", "{ rm x; }", { command: "{ rm x; }" }],
    ["a write", "Write(src/a.go)", { tool: "Write", path: "src/a.go" }],
    ["a command in a pattern", "Bash(ls (x))", { tool: "Bash", command: "ls (x)" }],
    ["a function of a shell", "write(x)", { command: "write(x)" }],
    [
      "the input of a hook",
      '{"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "s", "cwd": "/p", "permission_mode": "plan", "hook_event_name": "PreToolUse"}',
      { tool: "Bash", input: { command: "ls" }, session_id: "s", cwd: "/p", permission_mode: "plan" },
    ],
  ])("%s", (_, text, want) => expect(callOf(text)).toEqual(want));
  it("becomes the same call again as the input of a hook", () => {
    expect(callOf(hookInput({ command: "ls -l" }))).toEqual({ tool: "Bash", input: { command: "ls -l" }, session_id: "try" });
  });
});

describe("words for a shell", () => {
  it.each([
    ["ls", "ls"],
    ["a b", "'a b'"],
    ["it's", "'it'\\''s'"],
    ["", "''"],
  ])("%s", (word, want) => expect(shellQuoted(word)).toBe(want));
});

describe("offsets in bytes become offsets in the string", () => {
  it.each([
    ["abc", 2, 2],
    ["größe x", 8, 6],
    ["文件 x", 7, 3],
    ["😀 x", 5, 3],
    ["abc", 9, 3],
  ])("%s at %i", (text, bytes, want) => expect(utf16(text, bytes)).toBe(want));
});
