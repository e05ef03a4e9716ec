import { useQuery } from "@tanstack/react-query";
import { vocabularies } from "../../api/queries";
import type { EvaluatedContext } from "../../api/shapes";
import { pieces, sizeOf } from "../../model/combined";
import { Notes } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import css from "./TryDraft.module.css";

// CombinedText shows the whole text that the agent would receive, and marks the instruction of the draft in it.
export function CombinedText({ id, evaluated }: { id: string; evaluated: EvaluatedContext }) {
  const { data: known } = useQuery(vocabularies);
  const text = evaluated.combined_instruction;
  const omitted = evaluated.omitted ?? [];
  const parts = evaluated.matching_guidelines.filter((g) => g.action.instruction?.trim() && !omitted.includes(g.id));
  const most = known?.limits.instruction_max;
  const size = sizeOf(text).toLocaleString("en");
  return (
    <details className={css.combined}>
      <summary>
        What the agent receives with this draft: {size}
        {most && ` of at most ${most.toLocaleString("en")}`} characters
      </summary>
      {omitted.length > 0 && (
        <Notes notes={[{ tone: "warn", text: `The text is too long, so these instructions are left out: ${omitted.join(", ")}.` }]} />
      )}
      <div className={css.text} role="group" aria-label="What the agent receives with this draft">
        {text === "" && <p className="soft">Nothing.</p>}
        {pieces(text, parts, id).map((piece, i) =>
          piece.isOwn ? (
            <div key={i} className={css.own} role="group" aria-label="From this draft">
              <p className="soft">from this draft</p>
              <Raw lines text={piece.text} />
            </div>
          ) : (
            <Raw key={i} lines text={piece.text.trim()} />
          ),
        )}
      </div>
    </details>
  );
}
