import type { Policies } from "../../api/shapes";
import { plain } from "../../model/words";
import { Notes } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import css from "./Safety.module.css";

const states: Record<Policies["state"], string> = {
  none: "There is no policy file.",
  in_force: "The rules of the file are in force.",
  last_good: "The file has a mistake. Its previous rules still apply.",
  broken: "The file has a mistake, so no rule applies.",
};

// PolicyRules shows the rules in force, in the order in which they run.
export function PolicyRules({ policies }: { policies: Policies }) {
  const problems = policies.problems.map((p) => ({
    tone: "deny" as const,
    text: [p.line && `line ${p.line}:`, p.path, p.message, p.remedy].filter(Boolean).join(" "),
  }));
  return (
    <>
      <p className="soft">
        {states[policies.state]} <code>{policies.source}</code>
      </p>
      {problems.length > 0 && <Notes notes={problems} />}
      <ul className={css.rows} aria-label="Rules in force">
        {policies.rules.map((rule) => (
          <li key={rule.name}>
            <div className={css.head}>
              <strong>
                <Raw text={rule.name} />
              </strong>
              <span className="soft">
                priority {rule.priority} · {rule.actions.map(plain).join(", ")}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
