// The server tells the page what changed, so that lists are current without a reload.
import { useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { create } from "zustand";

// useLive says whether the audit shows new entries at once.
export const useLive = create<{ live: boolean }>(() => ({ live: false }));

const changes = ["guideline_changed", "guidelines_imported", "guidelines_reread", "gap"];
const pause = 1000;

export function useEvents() {
  const client = useQueryClient();
  useEffect(() => {
    const stream = new EventSource("/api/guardrails/events");
    const changed = atMostOnce(() => refreshGuidelines(client));
    const decided = atMostOnce(() => refreshDecisions(client));
    for (const name of changes) stream.addEventListener(name, changed.call);
    stream.addEventListener("decision_made", decided.call);
    stream.addEventListener("gap", decided.call);
    return () => {
      stream.close();
      changed.cancel();
      decided.cancel();
    };
  }, [client]);
}

function refreshGuidelines(client: QueryClient) {
  for (const key of ["guidelines", "stats", "vocabularies", "lint"]) void client.invalidateQueries({ queryKey: [key] });
}

function refreshDecisions(client: QueryClient) {
  void client.invalidateQueries({ queryKey: ["audit", "summary"] });
  if (useLive.getState().live) void client.invalidateQueries({ queryKey: ["audit", "list"] });
}

// atMostOnce calls f at most once in a pause, and the last time after the last event.
function atMostOnce(f: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    f();
  };
  return {
    call: () => {
      timer ??= setTimeout(run, pause);
    },
    cancel: () => clearTimeout(timer),
  };
}
