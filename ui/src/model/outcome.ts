// Each decision has one of five tones. The tone determines the colour and the icon of the decision on every screen.
export type Tone = "allow" | "warn" | "ask" | "deny" | "unchecked";

const tones: Record<Tone, string[]> = {
  allow: ["allow", "approved", "proceed", "accepted", "delivered", "sent"],
  warn: ["warn", "advice", "gentle", "nudge", "detected", "hard", "changed", "put_back", "pending"],
  ask: ["ask", "deferred", "turn", "session", "hold"],
  deny: ["deny", "rejected", "block", "refused", "given_up"],
  unchecked: ["unchecked", "failed", "open", "unseen", "unsigned", "unknown", "static", "snapshot", "cli", "cache", "gate"],
};

const byResult = new Map(
  Object.entries(tones).flatMap(([tone, results]) => results.map((result) => [result, tone as Tone] as const)),
);

export function toneOf(result: string): Tone {
  return byResult.get(result) ?? "unchecked";
}

const words: Record<string, string> = {
  allow: "allowed",
  warn: "warned",
  ask: "asked",
  deny: "denied",
  put_back: "put back",
  hold: "held",
  block: "blocked",
  proceed: "may pass",
};

export function wordOf(result: string): string {
  return words[result] ?? result.replaceAll("_", " ");
}

export const decisions: Tone[] = ["allow", "warn", "ask", "deny"];
