import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../../api/client";
import { guideline, session } from "../../api/queries";
import { permits } from "../../api/session";
import { draftOf, emptyDraft } from "../../model/draft";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { Editor } from "./Editor";
import css from "./EditorPanel.module.css";
import { History } from "./History";
import { Json } from "./Json";

// NewGuideline edits a guideline that does not exist yet, perhaps a copy of another one.
export function NewGuideline() {
  const { from, project } = useSearch({ from: "/guidelines" });
  const source = useQuery({ ...guideline(from ?? "", project), enabled: from !== undefined });
  if (from && source.isPending) return <Panel title="New guideline"><Loading label="Reading the guideline to copy" /></Panel>;
  const start = source.data ? { ...draftOf(source.data), id: `${source.data.id}-copy`, locked: false } : emptyDraft;
  return (
    <Panel title="New guideline">
      <Editor key={from ?? ""} base={null} start={start} readOnly={false} />
    </Panel>
  );
}

export function OneGuideline() {
  const { id } = useParams({ from: "/guidelines/$id" });
  const { project, tab } = useSearch({ from: "/guidelines" });
  const { data: who } = useQuery(session);
  const found = useQuery(guideline(id, project));
  const mayWrite = permits(who?.role, "write");
  if (found.error instanceof Failure && found.error.status === 404) {
    return (
      <Panel title={id}>
        <p className={css.gone}>The store has no such guideline now. If it was deleted, its versions are below.</p>
        <History id={id} project={project} current={null} mayWrite={mayWrite} />
      </Panel>
    );
  }
  if (found.error) return <Panel title={id}><Failed error={found.error} retry={() => void found.refetch()} /></Panel>;
  if (!found.data) return <Panel title={id}><Loading label="Reading the guideline" /></Panel>;
  const g = found.data;
  return (
    <Panel title={g.name} tabs={<Tabs id={id} />}>
      {tab === "history" && <History id={id} project={project} current={g} mayWrite={mayWrite} />}
      {tab === "json" && <Json guideline={g} />}
      {!tab && <Editor key={`${project ?? ""}/${id}`} base={g} start={draftOf(g)} readOnly={!mayWrite} />}
    </Panel>
  );
}

const tabs = [
  { tab: undefined, name: "Edit" },
  { tab: "history", name: "History" },
  { tab: "json", name: "JSON" },
] as const;

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

function Panel({ title, tabs: views, children }: { title: string; tabs?: ReactNode; children: ReactNode }) {
  const search = useSearch({ from: "/guidelines" });
  const navigate = useNavigate();
  const close = { ...search, project: undefined, from: undefined, tab: undefined };
  return (
    <section
      className={css.panel}
      aria-label="Editor"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) void navigate({ to: "/guidelines", search: close });
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
