// What screens read from the server. The first word of a key says which events make it stale.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, pathOf } from "./client";
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
  queryFn: () => ask<{ status: string; version?: string; source?: string; fault?: string }>("GET", "/readyz"),
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
    queryFn: () => ask<s.Guideline>("GET", pathOf(id), { query: { project_id: project } }),
  });

export const history = (id: string, project: string | undefined) =>
  queryOptions({
    queryKey: ["guidelines", "history", id, project ?? ""],
    queryFn: () =>
      ask<{ revisions: s.Revision[]; total: number }>("GET", pathOf(id, "/history"), {
        query: { project_id: project, page_size: 50 },
      }),
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

export const stats = queryOptions({
  queryKey: ["stats"],
  queryFn: () => ask<s.Stats>("GET", "/api/guardrails/stats"),
});

export const summary = (query: { date_from?: string; date_to?: string; bucket?: string }) =>
  queryOptions({
    queryKey: ["audit", "summary", query],
    queryFn: () => ask<s.Summary>("GET", "/api/guardrails/summary", { query }),
  });

export const sessions = (query: { date_from?: string; date_to?: string }) =>
  queryOptions({
    queryKey: ["audit", "sessions", query],
    queryFn: () => ask<s.SessionList>("GET", "/api/guardrails/sessions", { query }),
  });

export const packs = queryOptions({
  queryKey: ["guidelines", "packs"],
  queryFn: () => ask<s.PackList>("GET", "/api/guardrails/packs"),
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

export const tokens = queryOptions({
  queryKey: ["tokens"],
  queryFn: () => ask<s.TokenList>("GET", "/api/guardrails/tokens"),
});

export const settings = queryOptions({
  queryKey: ["settings"],
  queryFn: () => ask<s.Settings>("GET", "/api/guardrails/settings"),
});
