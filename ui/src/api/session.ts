// These functions sign a person in. "guardrails ui" opens the page with a code in the fragment of the address. The code
// can be used once.
import { Failure, ask, keyName } from "./client";
import { sessionRoleValues as roles } from "./schema";
import type { Role, Session } from "./shapes";

let redeemed: Promise<unknown> | null = null;

// redeemCode exchanges the code in the address for a session, and removes the code from the address and the history.
export function redeemCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  window.history.replaceState(null, "", location.pathname + location.search);
  redeemed = signIn({ code });
  redeemed.catch(() => undefined); // the function current throws this error
}

export async function signIn(body: { code: string } | { token: string }): Promise<Session> {
  const { key, ...session } = await ask<Session>("POST", "/api/session", { body });
  if (key) localStorage.setItem(keyName, key);
  return session;
}

// The function "current" returns the session. If the server refused the code in the address, the first call throws
// the server's error.
export async function current(): Promise<Session> {
  const code = redeemed;
  redeemed = null;
  if (code) await code;
  if (!localStorage.getItem(keyName)) throw new Failure(401, null, "Sign in first.");
  return ask<Session>("GET", "/api/session");
}

export function signOut(): Promise<void> {
  return ask<void>("DELETE", "/api/session");
}

// permits() reports whether a role has all rights of the needed role. The server lists roles from the weakest to the
// strongest.
export function permits(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);
}
