import { Link } from "@tanstack/react-router";
import { count } from "../../model/words";
import { Category } from "../../parts/Category";
import { Raw } from "../../parts/Raw";
import { PackDetails } from "./PackDetails";
import type { Row } from "./PackDetails";

// PackGuideline shows a guideline of a pack. The page shows it instead of the editor, which can edit only guidelines of
// the store.
export function PackGuideline({ row, pack, mayWrite }: { row: Row; pack: string; mayWrite: boolean }) {
  const { instruction, tools_denied, tools_asked, tools_allowed } = row.guideline.action;
  const patterns = [...(tools_denied ?? []), ...(tools_asked ?? []), ...(tools_allowed ?? [])];
  return (
    <>
      <p>
        This guideline comes with the pack {pack}. <Link to="/packs">See all packs</Link>
      </p>
      <p>
        <Category name={row.guideline.category} />
      </p>
      <PackDetails row={row} mayWrite={mayWrite} />
      {instruction && <Raw lines text={instruction} />}
      {patterns.length > 0 && (
        <details>
          <summary>{count(patterns.length, "tool pattern")}</summary>
          <Raw lines text={patterns.join("\n")} />
        </details>
      )}
    </>
  );
}
