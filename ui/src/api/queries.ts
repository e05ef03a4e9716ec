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

export const audit = (query: s.AuditQuery) =>
  queryOptions({
    queryKey: ["audit", "list", query],
    queryFn: ({ signal }) => ask<s.AuditList>("GET", "/api/guardrails/audit", { query, signal }),
    placeholderData: keepPreviousData,
  });
