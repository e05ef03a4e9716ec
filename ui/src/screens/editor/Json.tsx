import type { Guideline } from "../../api/shapes";
import { CopyButton } from "../../parts/CopyButton";
import { Raw } from "../../parts/Raw";
import css from "./Json.module.css";

// Json shows the guideline as the server has it.
export function Json({ guideline }: { guideline: Guideline }) {
  const text = JSON.stringify(guideline, null, 2);
  return (
    <div className={css.json}>
      <CopyButton name="Copy the JSON" text={text} />
      <Raw lines text={text} />
    </div>
  );
}
