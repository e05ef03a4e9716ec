import { useQuery } from "@tanstack/react-query";
import { guidelines } from "../../api/queries";
import type { Guideline } from "../../api/shapes";
import type { Draft } from "../../model/draft";
import { useSettled } from "./notes";

const two = 2; // each request asks for two guidelines, because one of them can be the saved version of the draft

// The component Neighbours shows which guidelines of the store come directly above and directly below the draft in the
// order of priorities.
export function Neighbours({ draft }: { draft: Draft }) {
  const priority = Math.min(1000, Math.max(0, Math.round(useSettled(draft.priority))));
  const higher = useQuery(guidelines({ sort: "priority", order: "asc", priority_from: priority, page_size: two }));
  const lower = useQuery(guidelines({ sort: "priority", order: "desc", priority_below: priority, page_size: two }));
  if (!higher.data || !lower.data) return <>If guidelines disagree, the one with the higher priority decides.</>;
  const isOther = (g: Guideline) => g.id !== draft.id || (g.project_id ?? "") !== draft.project_id;
  const above = higher.data.guidelines.find(isOther);
  const below = lower.data.guidelines.find(isOther);
  return (
    <>
      {above ? `Below ${above.name} (${above.priority})` : "The highest priority in the store"}
      {below ? `, above ${below.name} (${below.priority}).` : "."}
    </>
  );
}
