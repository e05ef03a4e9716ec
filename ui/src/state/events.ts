// The server tells the page what changed, so that lists are current without a reload.
import { useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { create } from "zustand";
import { follow } from "./stream";
import type { Message } from "./stream";
import { throttled } from "./throttle";

// The field "live" is set if the audit shows new entries at once. The field isLate is set while the server cannot
// report changes to the page.
export const useLive = create<{ live: boolean; isLate: boolean }>(() => ({ live: false, isLate: false }));

const soon = 1000;
const later = 5000; // a summary reads thousands of entries
const poll = 15_000;

export function useEvents() {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = refreshers(client);
    let wasLate = false;
    const tell = (message: Message) => {
      switch (message) {
        case "ready":
          if (wasLate) refresh.all();
          wasLate = false;
          useLive.setState({ isLate: false });
          return;
        case "lost":
        case "refused":
          wasLate = true;
          useLive.setState({ isLate: true });
          if (message === "refused") void client.invalidateQueries({ queryKey: ["session"] });
          return;
        case "gap":
          return refresh.all();
        case "decision_made":
          return refresh.decisions();
        case "who":
          return;
        default:
          return refresh.guidelines();
      }
    };
    const leave = follow(tell);
    const timer = setInterval(() => useLive.getState().isLate && refresh.all(), poll);
    return () => {
      leave();
      clearInterval(timer);
      refresh.cancel();
    };
  }, [client]);
}

// refreshers() returns functions that read the data on the screen again. A hidden tab waits until it is visible.
function refreshers(client: QueryClient) {
  const again = (keys: string[][]) => () => Promise.all(keys.map((queryKey) => renew(client, queryKey)));
  const all = {
    guidelines: throttled(again([["guidelines"], ["stats"], ["vocabularies"], ["lint"]]), soon),
    summary: throttled(again([["audit", "summary"], ["audit", "sessions"]]), later),
    list: throttled(again([["audit", "list"]]), soon),
  };
  const waiting = new Set<keyof typeof all>();
  const ask = (name: keyof typeof all) => (document.hidden ? void waiting.add(name) : all[name].call());
  const seen = () => {
    if (document.hidden) return;
    for (const name of waiting) all[name].call();
    waiting.clear();
  };
  document.addEventListener("visibilitychange", seen);
  const decisions = () => {
    ask("summary");
    if (useLive.getState().live) ask("list");
  };
  return {
    guidelines: () => ask("guidelines"),
    decisions,
    all: () => {
      ask("guidelines");
      decisions();
    },
    cancel: () => {
      document.removeEventListener("visibilitychange", seen);
      for (const one of Object.values(all)) one.cancel();
    },
  };
}

// renew() reads the data again. If a request is already on its way, for example for the next page of a list, renew()
// waits for its answer. This answer may be older than the change, so renew() then sends another request.
async function renew(client: QueryClient, queryKey: string[]) {
  const isWaiting = client.isFetching({ queryKey }) > 0;
  await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (isWaiting) await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
}
