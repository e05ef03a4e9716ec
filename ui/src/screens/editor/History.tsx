import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { restore } from "../../api/changes";
import { Failure } from "../../api/client";
import { history } from "../../api/queries";
import type { Guideline, Revision } from "../../api/shapes";
import { changedFields, draftOf, fields } from "../../model/draft";
import { plain } from "../../model/words";
import { Button } from "../../parts/Button";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { Diff } from "./Diff";
import type { Change } from "./Diff";
import css from "./History.module.css";

interface Props {
  id: string;
  project: string | undefined;
  current: Guideline | null;
  mayWrite: boolean;
}

// The component History shows each version and what it changed. Restoring a version saves its content as a new version.
export function History({ id, project, current, mayWrite }: Props) {
  const found = useInfiniteQuery(history(id, project));
  const client = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ from: "/guidelines" });
  const newest = found.data?.pages[0]?.revisions[0]?.version ?? 0;
  const back = useMutation({
    mutationFn: (to: number) => restore(id, project, to, current?.version ?? newest),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["guidelines"] });
      await navigate({ to: "/guidelines/$id", params: { id }, search: { ...search, project, tab: undefined } });
    },
  });
  if (found.isPending) return <Loading label="Reading the history" />;
  if (found.error instanceof Failure && found.error.status === 404 && !current) return null;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const revisions = found.data.pages.flatMap((page) => page.revisions);
  if (revisions.length === 0) return current ? <Empty title="There are no versions." /> : null;
  return (
    <>
      {back.error && <Failed error={back.error} />}
      <ol className={css.versions}>
        {revisions.map((revision, i) => (
          <li key={revision.version} className={css.version}>
            <div className={css.head}>
              <strong>Version {revision.version}</strong>
              <span>{plain(revision.event_type.replace("guideline_", ""))}</span>
              <Raw text={`by ${revision.actor}`} />
              <Time at={revision.timestamp} />
              {mayWrite && revision.version !== current?.version && !revision.deleted && (
                <Button disabled={back.isPending} onClick={() => back.mutate(revision.version)}>
                  Restore version {revision.version}
                </Button>
              )}
            </div>
            <Diff changes={changesOf(revision, revisions[i + 1])} />
          </li>
        ))}
      </ol>
      {found.hasNextPage && (
        <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show older versions
        </Button>
      )}
    </>
  );
}

function changesOf(revision: Revision, before: Revision | undefined): Change[] {
  if (!before || revision.deleted) return [];
  const [from, to] = [draftOf(before.guideline), draftOf(revision.guideline)];
  const [old, now] = [fields(from), fields(to)];
  return changedFields(from, to).map((field) => ({ field, old: old.get(field), new: now.get(field) }));
}
