import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { toggle } from "../../api/changes";
import type { Guideline } from "../../api/shapes";
import { actionSentence, conditionSentence } from "../../model/sentence";
import { Category } from "../../parts/Category";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { Toggle } from "../../parts/Toggle";
import css from "./Table.module.css";
import { keyOf } from "./selection";
import type { Selection } from "./selection";

interface Props {
  rows: Guideline[];
  openId: string | undefined;
  cursor: number;
  onCursor: (row: number) => void;
  selection: Selection;
  mayWrite: boolean;
}

export function Table({ rows, openId, cursor, onCursor, selection, mayWrite }: Props) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ g, on }: { g: Guideline; on: boolean }) => toggle(g, on),
    onSettled: () => client.invalidateQueries({ queryKey: ["guidelines"] }),
  });
  return (
    <>
      {change.error && <Failed error={change.error} />}
      <table className={css.table}>
        <thead>
          <tr>
            {mayWrite && (
              <th className={css.check}>
                <input
                  type="checkbox"
                  aria-label="Choose all on this page"
                  checked={selection.isAll}
                  onChange={(e) => selection.all(e.target.checked)}
                />
              </th>
            )}
            <th className={css.switch}>On</th>
            <th>Guideline</th>
            <th className={css.category}>Category</th>
            <th className={css.priority}>Priority</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((g, i) => (
            <Row
              key={keyOf(g)}
              g={g}
              isOpen={g.id === openId}
              isAtCursor={i === cursor}
              onFocus={() => onCursor(i)}
              selection={mayWrite ? selection : null}
              onToggle={mayWrite ? (on) => change.mutate({ g, on }) : null}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface RowProps {
  g: Guideline;
  isOpen: boolean;
  isAtCursor: boolean;
  onFocus: () => void;
  selection: Selection | null;
  onToggle: ((on: boolean) => void) | null;
}

function Row({ g, isOpen, isAtCursor, onFocus, selection, onToggle }: RowProps) {
  const search = useSearch({ from: "/guidelines" });
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isAtCursor) row.current?.scrollIntoView({ block: "nearest" });
  }, [isAtCursor]);
  return (
    <tr ref={row} className={css.row} data-open={isOpen || undefined} data-cursor={isAtCursor || undefined} data-off={!g.enabled || undefined}>
      {selection && (
        <td className={css.check}>
          <input type="checkbox" aria-label={`Choose ${g.name}`} checked={selection.has(g)} onChange={() => selection.flip(g)} />
        </td>
      )}
      <td className={css.switch}>
        <Toggle label={`${g.name} is on`} checked={g.enabled} disabled={!onToggle} onChange={(on) => onToggle?.(on)} />
      </td>
      <td className={css.main}>
        <Link
          to="/guidelines/$id"
          params={{ id: g.id }}
          search={{ ...search, project: g.project_id, from: undefined, tab: undefined }}
          className={css.name}
          aria-current={isOpen || undefined}
          onFocus={onFocus}
        >
          <Raw text={g.name} />
        </Link>
        <div className={css.what}>
          <Raw text={`${actionSentence(g.action)} ${conditionSentence(g.condition)}`} />
        </div>
        <div className={css.id}>
          {g.id}
          {g.project_id && <> · only <Raw text={g.project_id} /></>}
        </div>
      </td>
      <td className={css.category}>
        <Category name={g.category} />
      </td>
      <td className={css.priority}>{g.priority}</td>
    </tr>
  );
}
