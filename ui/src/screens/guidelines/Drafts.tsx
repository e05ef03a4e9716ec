import { Link } from "@tanstack/react-router";
import { Raw } from "../../parts/Raw";
import { keptDrafts } from "../../state/drafts";
import css from "./Guidelines.module.css";

// The component Drafts links to the unsaved drafts in this browser.
export function Drafts({ openId }: { openId: string | undefined }) {
  const drafts = keptDrafts().filter(({ id }) => id !== (openId ?? "~new"));
  if (drafts.length === 0) return null;
  return (
    <p className={css.drafts}>
      Not saved yet:{" "}
      {drafts.map(({ id, project, kept }) => (
        <span key={`${project}/${id}`}>
          {id ? (
            <Link to="/guidelines/$id" params={{ id }} search={{ sort: "priority", project: project || undefined }}>
              <Raw text={kept.draft.name || id} />
            </Link>
          ) : (
            <Link to="/guidelines/~new" search={{ sort: "priority" }}>
              <Raw text={kept.draft.name || "a new guideline"} />
            </Link>
          )}{" "}
        </span>
      ))}
    </p>
  );
}
