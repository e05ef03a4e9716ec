import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { address } from "../../api/client";
import { guidelines, session } from "../../api/queries";
import type { Guideline } from "../../api/shapes";
import { permits } from "../../api/session";
import { count } from "../../model/words";
import { guidelinesSearch } from "../../model/addresses";
import { buttonClass, mainClass } from "../../parts/Button";
import { Page } from "../../parts/Page";
import { Saved } from "../../parts/Saved";
import { Empty, Failed, Loading } from "../../parts/States";
import { Bulk } from "./Bulk";
import { Drafts } from "./Drafts";
import { Filters } from "./Filters";
import css from "./Guidelines.module.css";
import { Pager } from "./Pager";
import { Table } from "./Table";
import { useKeys } from "./keys";
import { useSelection } from "./selection";

const pageSize = 50;

export function Guidelines() {
  const search = useSearch({ from: "/guidelines" });
  const { id } = useParams({ strict: false });
  const navigate = useNavigate({ from: "/guidelines" });
  const { data: who } = useQuery(session);
  const { project: _project, decided: _decided, from: _from, tab: _tab, ...filter } = search;
  const found = useQuery(guidelines({ ...filter, page_size: pageSize }));
  const { sort: _sort, order: _order, page: _page, cursor: _cursor, ...exported } = filter;
  const rows = found.data?.guidelines ?? [];
  const selection = useSelection(rows);
  const isFiltered = Object.keys(exported).length > 0;
  const mayWrite = permits(who?.role, "write");
  const open = (g: Guideline) => void navigate({ to: "/guidelines/$id", params: { id: g.id }, search: { ...search, project: g.project_id } });
  const [cursor, setCursor] = useKeys(rows, { open, choose: selection.flip });

  return (
    <Page
      title="Guidelines"
      about={found.data && count(found.data.total, isFiltered ? "match" : "guideline", isFiltered ? "matches" : undefined)}
      actions={
        <>
          <a className={buttonClass} href={address("/api/guardrails/export", { ...exported, format: "yaml" })} download="guidelines.yaml">
            Export these
          </a>
          {permits(who?.role, "admin") && (
            <Link className={buttonClass} to="/exchange">
              Import
            </Link>
          )}
          {mayWrite && (
            <Link className={mainClass} to="/guidelines/~new" search={{ ...search, project: undefined }}>
              New guideline
            </Link>
          )}
        </>
      }
    >
      <div className={css.split}>
        <section aria-label="List of guidelines" className={css.list}>
          <Filters />
          <Saved
            kind="guidelines"
            what="filter"
            current={exported}
            onOpen={(saved) => void navigate({ to: ".", search: guidelinesSearch(saved) })}
          />
          <Drafts openId={id} />
          {mayWrite && <Bulk selection={selection} />}
          {found.isPending && <Loading label="Reading the guidelines" />}
          {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
          {found.data && rows.length === 0 && (isFiltered ? <NoMatch /> : <NoGuidelines mayWrite={mayWrite} />)}
          {rows.length > 0 && (
            <div className={css.table} data-stale={found.isPlaceholderData || undefined} aria-busy={found.isPlaceholderData}>
              <Table rows={rows} openId={id} cursor={cursor} onCursor={setCursor} selection={selection} mayWrite={mayWrite} />
            </div>
          )}
          <Pager list={found.data} />
        </section>
        <Outlet />
      </div>
    </Page>
  );
}

function NoMatch() {
  return (
    <Empty title="No guideline matches.">
      <Link to="/guidelines" search={{ sort: "priority" }}>
        Clear the filters
      </Link>
    </Empty>
  );
}

function NoGuidelines({ mayWrite }: { mayWrite: boolean }) {
  return (
    <Empty title="The store has no guidelines yet.">
      <p>
        Packs and the files of a project contain guidelines too. These apply although they are not in the store. Here you write
        guidelines for the whole team. {mayWrite && 'To begin, select "New guideline".'}
      </p>
    </Empty>
  );
}
