// callOf makes a tool call from text that a person typed or pasted. The text is a command, a call such as
// Write(src/main.go), or the input of a hook.
import type { ToolCall } from "../api/shapes";

export function callOf(text: string): ToolCall | null {
  const trimmed = text.trim();
  if (!trimmed) return null;
  return payload(trimmed) ?? pattern(trimmed) ?? { command: trimmed };
}

// A hook receives {"tool_name": …, "tool_input": …, "session_id": …, "cwd": …, "permission_mode": …} on its standard
// input.
function payload(text: string): ToolCall | null {
  if (!text.startsWith("{")) return null;
  try {
    const input = JSON.parse(text) as Record<string, unknown>;
    if (typeof input.tool_name !== "string" || typeof input.tool_input !== "object") return null;
    const call: ToolCall = { tool: input.tool_name, input: input.tool_input as Record<string, unknown> };
    if (typeof input.session_id === "string") call.session_id = input.session_id;
    if (typeof input.cwd === "string") call.cwd = input.cwd;
    if (typeof input.agent_type === "string") call.agent = input.agent_type;
    if (typeof input.permission_mode === "string") call.permission_mode = input.permission_mode;
    return call;
  } catch {
    return null;
  }
}

function pattern(text: string): ToolCall | null {
  const found = /^(Read|Write|Edit|MultiEdit|NotebookEdit|Glob|Grep|Bash)\(([^]*)\)$/.exec(text);
  if (!found) return null;
  const [, tool, argument] = found;
  return tool === "Bash" ? { tool, command: argument } : { tool, path: argument };
}

// hookInput returns what the client would send to the hook for a call.
export function hookInput(call: ToolCall): string {
  const input = call.input ?? (call.command != null ? { command: call.command } : { file_path: call.path ?? "" });
  return JSON.stringify({
    session_id: call.session_id ?? "try",
    hook_event_name: "PreToolUse",
    tool_name: call.tool ?? (call.command != null ? "Bash" : "Write"),
    tool_input: input,
    ...(call.cwd ? { cwd: call.cwd } : {}),
    ...(call.permission_mode ? { permission_mode: call.permission_mode } : {}),
  });
}

export function shellQuoted(word: string): string {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

// utf16 converts an offset of the server, which counts bytes of UTF-8, into an offset in a JavaScript string.
export function utf16(text: string, bytes: number): number {
  let seen = 0;
  let at = 0;
  for (const character of text) {
    if (seen >= bytes) break;
    const code = character.codePointAt(0) ?? 0;
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += character.length;
  }
  return at;
}
