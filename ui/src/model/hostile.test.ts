import { describe, expect, it } from "vitest";
import { pieces } from "./hostile";

const shown = (text: string, lines?: boolean) => pieces(text, lines).map((p) => (p.code ? `[${p.code}]` : p.text)).join("");

describe("hidden characters are shown by their code", () => {
  it.each([
    ["a right-to-left override", "photo\u202Egpj.sh", "photo[U+202E]gpj.sh"],
    ["an isolate", "\u2066x\u2069", "[U+2066]x[U+2069]"],
    ["a zero-width space", "rm\u200B -rf", "rm[U+200B] -rf"],
    ["a terminal escape", "\u001b[31mred", "[U+001B][31mred"],
    ["a null", "a\u0000b", "a[U+0000]b"],
    ["a carriage return", "safe\rrm", "safe[U+000D]rm"],
    ["a tag character", "a\u{E0041}", "a[U+E0041]"],
    ["half a surrogate pair", "a\ud800b", "a[U+D800]b"],
    ["a newline in one line", "a\nb", "a[↵]b"],
  ])("%s", (_, text, want) => expect(shown(text)).toBe(want));
});

describe("other characters stay as they are", () => {
  it.each([
    ["letters of any script", "größe 文件 ملف"],
    ["an emoji", "a 😀 b"],
    ["markup", "<script>alert(1)</script>"],
    ["nothing", ""],
  ])("%s", (_, text) => expect(shown(text)).toBe(text));
  it("newlines in a text with lines", () => expect(shown("a\nb", true)).toBe("a\nb"));
});
