// The queries of the screens. An event from the server refreshes all queries whose keys begin with certain words.
// state/events.ts says which words these are.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { Failure, ask, pathOf } from "./client";
import type { ServerState } from "../model/serverstate";
import { current } from "./session";
import type * as s from "./shapes";

export const session = queryOptions({
  queryKey: ["session"],
  queryFn: current,
  staleTime: 60_000,
  retry: false,
});

export const ready = queryOptions({
  queryKey: ["ready"],
  queryFn: () => ask<ServerState>("GET", "/readyz", { accepts: 503 }),
  refetchInterval: 30_000,
});

export const guidelines = (query: s.ListQuery) =>
  queryOptions({
    queryKey: ["guidelines", "list", query],
    queryFn: ({ signal }) => ask<s.GuidelineList>("GET", "/api/guardrails", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const guideline = (id: string, project: string | undefined) =>
  queryOptions({
    queryKey: ["guidelines", "one", id, project ?? ""],
    queryFn: ({ signal }) => ask<s.Guideline>("GET", pathOf(id), { query: { project_id: project }, signal }),
  });

// withId returns the guidelines with an id, of every project.
export const withId = (id: string) =>
  queryOptions({
    queryKey: ["guidelines", "with-id", id],
    queryFn: async ({ signal }) => {
      try {
        return await ask<s.Guideline[]>("GET", "/api/guardrails/export", { query: { id, format: "json" }, signal });
      } catch (error) {
        if (error instanceof Failure && error.status === 400) return []; // no guideline has the id
        throw error;
      }
    },
  });

// history() returns the versions of a guideline, the newest first.
export const history = (id: string, project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["guidelines", "history", id, project ?? ""],
    queryFn: ({ pageParam, signal }) =>
      ask<{ revisions: s.Revision[]; total: number; next_cursor?: string }>("GET", pathOf(id, "/history"), {
        query: { project_id: project, page_size: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });

export const vocabularies = queryOptions({
  queryKey: ["vocabularies"],
  queryFn: () => ask<s.Vocabularies>("GET", "/api/guardrails/vocabularies"),
  staleTime: 60_000,
});

export const audit = (query: s.AuditQuery) =>
  queryOptions({
    queryKey: ["audit", "list", query],
    queryFn: ({ signal }) => ask<s.AuditList>("GET", "/api/guardrails/audit", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const auditEntry = (id: string) =>
  queryOptions({
    queryKey: ["audit", "one", id],
    queryFn: ({ signal }) => ask<s.AuditEntry>("GET", `/api/guardrails/audit/entries/${encodeURIComponent(id)}`, { signal }),
    staleTime: Infinity, // an entry never changes
  });

export const stats = queryOptions({
  queryKey: ["stats"],
  queryFn: ({ signal }) => ask<s.Stats>("GET", "/api/guardrails/stats", { signal }),
});

export const summary = (query: { date_from?: string; date_to?: string; bucket?: string }) =>
  queryOptions({
    queryKey: ["audit", "summary", query],
    queryFn: ({ signal }) => ask<s.Summary>("GET", "/api/guardrails/summary", { query, signal }),
  });

// sessionEntries returns the entries of a session, the newest first.
export const sessionEntries = (session: string) =>
  infiniteQueryOptions({
    queryKey: ["audit", "session", session],
    queryFn: ({ pageParam, signal }) =>
      ask<s.AuditList>("GET", "/api/guardrails/audit", { query: { session, page_size: 500, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });

export const sessions = (query: { date_from?: string; project?: string; page_size?: number; cursor?: string }) =>
  queryOptions({
    queryKey: ["audit", "sessions", query],
    queryFn: ({ signal }) => ask<s.SessionList>("GET", "/api/guardrails/sessions", { query, signal }),
  });

export const packs = queryOptions({
  queryKey: ["guidelines", "packs"],
  queryFn: ({ signal }) => ask<s.PackList>("GET", "/api/guardrails/packs", { signal }),
});

export const lint = (draft: s.GuidelineCreate, project: string | undefined) =>
  queryOptions({
    queryKey: ["lint", draft, project ?? ""],
    queryFn: ({ signal }) =>
      ask<s.Lint>("POST", "/api/guardrails/lint", { body: { guidelines: [draft], project_id: project }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });

export const policies = queryOptions({
  queryKey: ["policies"],
  queryFn: ({ signal }) => ask<s.Policies>("GET", "/api/guardrails/policies", { signal }),
});

export const webhooks = queryOptions({
  queryKey: ["webhooks", "list"],
  queryFn: ({ signal }) => ask<s.WebhookList>("GET", "/api/guardrails/webhooks", { signal }),
});

// deliveries() returns what was sent to a webhook, the newest first.
export const deliveries = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["webhooks", "deliveries", id],
    queryFn: ({ pageParam, signal }) =>
      ask<s.DeliveryList>("GET", `/api/guardrails/webhooks/${encodeURIComponent(id)}/deliveries`, {
        query: { page_size: 20, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });

export const tokens = infiniteQueryOptions({
  queryKey: ["tokens"],
  queryFn: ({ pageParam }) => ask<s.TokenList>("GET", "/api/guardrails/tokens", { query: { cursor: pageParam } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor,
});

export const settings = queryOptions({
  queryKey: ["settings"],
  queryFn: () => ask<s.Settings>("GET", "/api/guardrails/settings"),
});
