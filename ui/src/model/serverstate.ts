// The answer of /readyz about the state of the server, and its meaning for the person who reads the page.
export interface ServerState {
  status: string; // ready, degraded, unavailable or ending
  source?: string; // where the guidelines come from
  fault?: string; // why the store cannot be read or changed
}

// stateSentence returns "" while everything works.
export function stateSentence({ status, source, fault }: ServerState): string {
  switch (status) {
    case "ready":
      return "";
    case "ending":
      return "The server is stopping. What you change now may not be saved.";
    case "unavailable":
      return `The server cannot read the guidelines${because(fault)} and has no earlier copy of them. The setting "fallback_mode" says how hooks decide.`;
    case "degraded":
      break;
    default:
      return `The server is ${status}${because(fault)}.`;
  }
  if (fault === "read_only") return "The store is read-only. Its guidelines apply. Decisions are recorded when the store accepts changes again.";
  if (source === "snapshot") return `The server cannot read the guidelines${because(fault)}. The last known guidelines apply.`;
  return `The store does not answer${because(fault)}. The last known guidelines apply. Decisions are recorded when the store answers again.`;
}

function because(fault: string | undefined): string {
  return fault ? ` (${fault.replaceAll("_", " ")})` : "";
}
