// Requests that change guidelines. A request that changes an existing guideline contains the version that the person
// saw. If somebody else has changed the guideline since, the server refuses the request.
import { ask, pathOf } from "./client";
import type { Guideline, GuidelineCreate, GuidelineUpdate } from "./shapes";

const inProject = (g: { project_id?: string | null }) => ({ project_id: g.project_id || undefined });

export async function toggle(g: Guideline, enabled: boolean): Promise<Guideline> {
  if (g.enabled === enabled) return g;
  return ask("POST", pathOf(g.id, "/toggle"), { query: inProject(g), body: { version: g.version } });
}

export function remove(g: Guideline): Promise<unknown> {
  return ask("DELETE", pathOf(g.id), { query: { ...inProject(g), version: g.version } });
}

export function create(g: GuidelineCreate): Promise<Guideline> {
  return ask("POST", "/api/guardrails", { body: g });
}

export function update(id: string, project: string | undefined, change: GuidelineUpdate): Promise<Guideline> {
  return ask("PUT", pathOf(id), { query: { project_id: project }, body: change });
}

export function restore(id: string, project: string | undefined, toVersion: number, version: number): Promise<Guideline> {
  return ask("POST", pathOf(id, "/restore"), { query: { project_id: project }, body: { to_version: toVersion, version } });
}
