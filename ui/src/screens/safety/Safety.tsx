import { useQuery } from "@tanstack/react-query";
import { policies, session } from "../../api/queries";
import { permits } from "../../api/session";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { PolicyRules } from "./PolicyRules";
import css from "./Safety.module.css";
import { TryMessage } from "./TryMessage";
import { Verdicts } from "./Verdicts";
import { Webhooks } from "./Webhooks";

const modes = {
  off: "The gate is off in sessions. Programs can still send messages to it.",
  observe: "In sessions, the gate only records what it finds. It stops no message.",
  enforce: 'In sessions, messages with the verdict "block" are stopped.',
};

// The component Safety shows what the safety gate found, which rules it follows, and which webhooks receive its
// findings.
export function Safety() {
  const { data: who } = useQuery(session);
  const found = useQuery(policies);
  return (
    <Page title="Safety" about={found.data && modes[found.data.mode]}>
      <div className={css.sections}>
        <Verdicts />
        <section aria-labelledby="policies" className={css.section}>
          <h2 id="policies">Policies</h2>
          {found.isPending && <Loading rows={2} label="Reading the policies" />}
          {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
          {found.data && <PolicyRules policies={found.data} />}
          {found.data?.notices.map((notice) => <p key={notice}><Raw text={notice} /></p>)}
          <TryMessage />
        </section>
        <section aria-labelledby="webhooks" className={css.section}>
          <h2 id="webhooks">Webhooks</h2>
          {permits(who?.role, "admin") ? <Webhooks /> : <p className="soft">To see and change webhooks, you need the role "admin".</p>}
        </section>
      </div>
    </Page>
  );
}
