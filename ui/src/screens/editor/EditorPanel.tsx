import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { Failure } from "../../api/client";
import { guideline, history, packs, session, vocabularies, withId } from "../../api/queries";
import { permits } from "../../api/session";
import type { Guideline } from "../../api/shapes";
import { draftOf, emptyDraft } from "../../model/draft";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { PackGuideline } from "../packs/PackGuideline";
import { Decisions } from "./Decisions";
import { Editor } from "./Editor";
import css from "./EditorPanel.module.css";
import { History } from "./History";

// NewGuideline edits a guideline that does not exist yet, perhaps a copy of another one.
export function NewGuideline() {
  const { from, project, tab } = useSearch({ from: "/guidelines" });
  const { data: who } = useQuery(session);
  const known = useQuery(vocabularies);
  const source = useQuery({ ...guideline(from ?? "", project), enabled: from !== undefined });
  if (from && source.isPending) return <Panel title="New guideline"><Loading label="Reading the guideline to copy" /></Panel>;
  if (who && !permits(who.role, "write")) {
    return <Panel title="New guideline"><p className={css.gone}>You have the role "{who.role}". To create guidelines, you need the role "write".</p></Panel>;
  }
  if (known.error) return <Panel title="New guideline"><Failed error={known.error} retry={() => void known.refetch()} /></Panel>;
  if (!known.data) return <Panel title="New guideline"><Loading label="Reading the names that guidelines can use" /></Panel>;
  const start = source.data ? { ...draftOf(source.data), id: `${source.data.id}-copy`, locked: false } : { ...emptyDraft, priority: known.data.limits.priority_default };
  return (
    <Panel title="New guideline" tabs={<NewTabs />}>
      <Editor key={from ?? ""} asJson={tab === "json"} base={null} start={start} readOnly={false} />
    </Panel>
  );
}

// OneGuideline shows the guideline whose id is in the address. The record of a decision does not say whether the
// guideline is for all projects. So a link from a decision contains the project of the decision, which may differ from
// the project of the guideline.
export function OneGuideline() {
  const { id } = useParams({ from: "/guidelines/$id" });
  const { decided } = useSearch({ from: "/guidelines" });
  return decided === undefined ? <Stored /> : <Decided key={id} id={id} project={decided} />;
}

function Decided({ id, project }: { id: string; project: string }) {
  const found = useQuery(withId(id));
  const search = useSearch({ from: "/guidelines" });
  if (found.error) return <Panel title={id}><Failed error={found.error} retry={() => void found.refetch()} /></Panel>;
  if (!found.data) return <Panel title={id}><Loading label="Looking for the guideline" /></Panel>;
  const applied = nearest(found.data, project);
  return <Navigate to="/guidelines/$id" params={{ id }} search={{ ...search, decided: undefined, project: applied?.project_id }} replace />;
}

// The function "nearest" returns the guideline that applies in a project: the project's own guideline, or the
// guideline for all projects. If there is neither, and the list has only one guideline, the function returns this
// guideline.
function nearest(list: Guideline[], project: string | undefined): Guideline | undefined {
  return list.find((g) => g.project_id === project) ?? list.find((g) => !g.project_id) ?? (list.length === 1 ? list[0] : undefined);
}

function Stored() {
  const { id } = useParams({ from: "/guidelines/$id" });
  const { project, tab } = useSearch({ from: "/guidelines" });
  const { data: who } = useQuery(session);
  const found = useQuery(guideline(id, project));
  const mayWrite = permits(who?.role, "write");
  const isGone = found.error instanceof Failure && found.error.status === 404;
  const g = found.data;
  if (!g && isGone) return <NotInStore id={id} project={project} mayWrite={mayWrite} />;
  if (!g && found.error) return <Panel title={id}><Failed error={found.error} retry={() => void found.refetch()} /></Panel>;
  if (!g) return <Panel title={id}><Loading label="Reading the guideline" /></Panel>;
  // The editor stays open if a later read fails, so that no typed text is lost.
  return (
    <Panel title={g.name} tabs={<Tabs id={id} />}>
      {found.error && !isGone && <Failed error={found.error} retry={() => void found.refetch()} />}
      {tab === "history" && <History id={id} project={project} current={g} mayWrite={mayWrite} />}
      {tab !== "history" && <Editor asJson={tab === "json"} key={`${project ?? ""}/${id}`} base={g} start={draftOf(g)} readOnly={!mayWrite} isGone={isGone} />}
      {!tab && <Decisions key={`decisions of ${id}`} id={id} />}
    </Panel>
  );
}

// NotInStore shows where the id exists: in other projects, or in a pack. For a deleted guideline, it shows the
// versions.
function NotInStore({ id, project, mayWrite }: { id: string; project: string | undefined; mayWrite: boolean }) {
  const installed = useQuery(packs);
  const versions = useInfiniteQuery(history(id, project));
  const named = useQuery(withId(id));
  const search = useSearch({ from: "/guidelines" });
  if (installed.isPending || named.isPending || !versions.isFetched) return <Panel title={id}><Loading label="Looking for the guideline" /></Panel>;
  const elsewhere = nearest(named.data ?? [], project);
  if (elsewhere && !versions.data) {
    return <Navigate to="/guidelines/$id" params={{ id }} search={{ ...search, project: elsewhere.project_id }} replace />;
  }
  const pack = installed.data?.packs.find((p) => p.guidelines.some((row) => row.guideline.id === id));
  const row = pack?.guidelines.find((each) => each.guideline.id === id);
  return (
    <Panel title={row?.guideline.name ?? id}>
      {pack && row ? (
        <PackGuideline row={row} pack={pack.name} mayWrite={mayWrite} />
      ) : (
        <p className={css.gone}>
          Neither the store nor any pack has a guideline with this id now. The guideline may be in a file of the project. If it was deleted
          from the store, its versions are below.
        </p>
      )}
      <Elsewhere list={named.data ?? []} />
      <History id={id} project={project} current={null} mayWrite={mayWrite} />
    </Panel>
  );
}

// The component Elsewhere shows links to the guidelines with the same id in other projects.
function Elsewhere({ list }: { list: Guideline[] }) {
  const search = useSearch({ from: "/guidelines" });
  if (list.length === 0) return null;
  return (
    <>
      <p>These guidelines have the same id:</p>
      <ul aria-label="Guidelines with the same id">
        {list.map((g) => (
          <li key={g.project_id ?? ""}>
            <Link to="/guidelines/$id" params={{ id: g.id }} search={{ ...search, project: g.project_id }}>
              <Raw text={`${g.name}, ${g.project_id ? `only ${g.project_id}` : "all projects"}`} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const tabs = [
  { tab: undefined, name: "Edit" },
  { tab: "history", name: "History" },
  { tab: "json", name: "JSON" },
] as const;

function NewTabs() {
  const search = useSearch({ from: "/guidelines" });
  return (
    <nav className={css.tabs} aria-label="Views of the guideline">
      {tabs
        .filter((each) => each.tab !== "history")
        .map((each) => (
          <Link
            key={each.name}
            to="/guidelines/~new"
            search={{ ...search, tab: each.tab }}
            className={css.tab}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
          >
            {each.name}
          </Link>
        ))}
    </nav>
  );
}

function Tabs({ id }: { id: string }) {
  const search = useSearch({ from: "/guidelines" });
  return (
    <nav className={css.tabs} aria-label="Views of the guideline">
      {tabs.map((each) => (
        <Link
          key={each.name}
          to="/guidelines/$id"
          params={{ id }}
          search={{ ...search, tab: each.tab }}
          className={css.tab}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
        >
          {each.name}
        </Link>
      ))}
    </nav>
  );
}

// isOwn reports whether a key is meant for the panel. An open dialog or list of suggestions closes with Escape, but
// React passes the key on to the panel too.
function isOwn({ currentTarget, target }: KeyboardEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.getAttribute("aria-expanded") !== "true";
}

function Panel({ title, tabs: views, children }: { title: string; tabs?: ReactNode; children: ReactNode }) {
  const search = useSearch({ from: "/guidelines" });
  const navigate = useNavigate();
  const close = { ...search, project: undefined, decided: undefined, from: undefined, tab: undefined };
  return (
    <section
      className={css.panel}
      aria-label="Editor"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented && isOwn(event)) void navigate({ to: "/guidelines", search: close });
      }}
    >
      <div className={css.head}>
        <h2>
          <Raw text={title} />
        </h2>
        <Link to="/guidelines" search={close} className={css.close} aria-label="Close the editor">
          <span aria-hidden="true">×</span>
        </Link>
      </div>
      {views}
      {children}
    </section>
  );
}
