import { Link } from "@tanstack/react-router";
import type { ReplayGroup, ReplayLine } from "../../api/shapes";
import { count } from "../../model/words";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Empty } from "../../parts/States";
import { Time } from "../../parts/Time";
import css from "./Replay.module.css";

// The component Report shows the result of a replay. hasDraft is set if the calls were judged with a draft or a file.
export function Report({ report, hasDraft }: { report: ReplayLine; hasDraft: boolean }) {
  if (report.calls === 0) return <Empty title="No recorded call matches." />;
  return (
    <section aria-label="Result" className={css.stack}>
      <p>
        <strong>{count(report.changed, "call")} would be decided differently</strong>, {report.unchanged} as before, {report.not_replayed} cannot be judged again.
      </p>
      {report.reasons.length > 0 && (
        <ul aria-label="Why calls cannot be judged again">
          {report.reasons.map((reason) => (
            <li key={reason.reason}>
              {count(reason.count, "call")}: {reason.about}
            </li>
          ))}
        </ul>
      )}
      {report.truncated && <p>The replay stopped before it reached the last call. Choose a shorter time.</p>}
      {report.notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
      {report.groups.map((group, i) => (
        <Group key={i} group={group} hasDraft={hasDraft} />
      ))}
    </section>
  );
}

function Group({ group, hasDraft }: { group: ReplayGroup; hasDraft: boolean }) {
  return (
    <div className={css.group}>
      <h2 className={css.verdicts}>
        <Verdict verdict={group.was} /> <span>→</span> <Verdict verdict={group.would} />
        <span>{count(group.count, "call")}</span>
      </h2>
      {hasDraft && !group.by_draft && <p>This difference does not come from the draft. The saved guidelines already decide differently from the record, or they cannot judge the call.</p>}
      <ul className={css.calls}>
        {group.calls.map((call) => (
          <li key={call.entry_id}>
            <Time at={call.timestamp} />
            <Link to="/playground" search={{ command: call.text, agent: call.agent }}>
              <Raw className="mono" text={call.text} />
            </Link>
          </li>
        ))}
      </ul>
      {group.count > group.calls.length && <p>And {count(group.count - group.calls.length, "more call", "more calls")}.</p>}
    </div>
  );
}

function Verdict({ verdict }: { verdict: ReplayGroup["was"] }) {
  return (
    <span>
      <Outcome result={verdict.result} />
      {verdict.guideline_id && (
        <>
          {" by "}
          <code>{verdict.guideline_id}</code>
        </>
      )}
    </span>
  );
}
