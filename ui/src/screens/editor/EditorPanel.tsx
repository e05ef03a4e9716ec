import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { Failure } from "../../api/client";
import { guideline, packs, session, vocabularies } from "../../api/queries";
import { permits } from "../../api/session";
import { draftOf, emptyDraft } from "../../model/draft";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { PackGuideline } from "../packs/PackGuideline";
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
    return <Panel title="New guideline"><p className={css.gone}>Your role is {who.role}. Creating guidelines needs the role write.</p></Panel>;
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

export function OneGuideline() {
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
  // If reading it again fails, the editor stays, so that nothing that was typed is lost.
  return (
    <Panel title={g.name} tabs={<Tabs id={id} />}>
      {found.error && !isGone && <Failed error={found.error} retry={() => void found.refetch()} />}
      {tab === "history" && <History id={id} project={project} current={g} mayWrite={mayWrite} />}
      {tab !== "history" && <Editor asJson={tab === "json"} key={`${project ?? ""}/${id}`} base={g} start={draftOf(g)} readOnly={!mayWrite} isGone={isGone} />}
    </Panel>
  );
}

// NotInStore shows a guideline of a pack. Of a guideline that was deleted, it shows the versions.
function NotInStore({ id, project, mayWrite }: { id: string; project: string | undefined; mayWrite: boolean }) {
  const installed = useQuery(packs);
  if (installed.isPending) return <Panel title={id}><Loading label="Looking in the packs" /></Panel>;
  const pack = installed.data?.packs.find((p) => p.guidelines.some((row) => row.guideline.id === id));
  const row = pack?.guidelines.find((each) => each.guideline.id === id);
  return (
    <Panel title={row?.guideline.name ?? id}>
      {pack && row ? (
        <PackGuideline row={row} pack={pack.name} mayWrite={mayWrite} />
      ) : (
        <p className={css.gone}>
          The store has no such guideline now, and no pack has it. It may be in a file of the project. If it was deleted from the
          store, its versions are below.
        </p>
      )}
      <History id={id} project={project} current={null} mayWrite={mayWrite} />
    </Panel>
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

// A dialog or a list of suggestions that is open takes Escape for itself. React passes the key on to the panel too.
function isOwn({ currentTarget, target }: KeyboardEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.getAttribute("aria-expanded") !== "true";
}

function Panel({ title, tabs: views, children }: { title: string; tabs?: ReactNode; children: ReactNode }) {
  const search = useSearch({ from: "/guidelines" });
  const navigate = useNavigate();
  const close = { ...search, project: undefined, from: undefined, tab: undefined };
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
