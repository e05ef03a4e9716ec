import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { vocabularies } from "../../api/queries";
import {
  guidelineCategoryValues,
  pathsApiGuardrailsGetParametersQuerySortValues as sorts,
} from "../../api/schema";
import type { GuidelinesSearch } from "../../model/addresses";
import { categoryWord } from "../../model/words";
import { inputClass } from "../../parts/Field";
import css from "./Filters.module.css";

const pause = 200;

// The component Filters puts the chosen filters into the address. The server filters.
export function Filters() {
  const search = useSearch({ from: "/guidelines" });
  const navigate = useNavigate({ from: "/guidelines" });
  const { data: known } = useQuery(vocabularies);
  const put = (change: Partial<GuidelinesSearch>) =>
    void navigate({ to: ".", search: (s: GuidelinesSearch) => ({ ...s, page: undefined, cursor: undefined, ...change }), replace: true });
  return (
    <div className={css.filters} role="search">
      <SearchWords value={search.search ?? ""} onChange={(words) => put({ search: words || undefined })} />
      <label>
        <span className="hidden">Category</span>
        <select
          className={inputClass}
          value={search.category ?? ""}
          onChange={(e) => put({ category: (e.target.value || undefined) as GuidelinesSearch["category"] })}
        >
          <option value="">all categories</option>
          {guidelineCategoryValues.map((name) => (
            <option key={name} value={name}>
              {categoryWord(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="hidden">State</span>
        <select
          className={inputClass}
          value={search.enabled === undefined ? "" : String(search.enabled)}
          onChange={(e) => put({ enabled: e.target.value === "" ? undefined : e.target.value === "true" })}
        >
          <option value="">on and off</option>
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      </label>
      <Word label="Agent" value={search.agent} known={known?.agents} onChange={(agent) => put({ agent })} />
      <Word label="Event" value={search.event} known={known?.events} onChange={(event) => put({ event })} />
      <Word label="Tag" value={search.tag} known={known?.tags} onChange={(tag) => put({ tag })} />
      <label>
        <span className="hidden">Order</span>
        <select
          className={inputClass}
          value={search.sort}
          onChange={(e) => put({ sort: e.target.value as GuidelinesSearch["sort"], order: undefined })}
        >
          {sorts.map((name) => (
            <option key={name} value={name}>
              by {name === "updated" ? "last change" : name}
            </option>
          ))}
        </select>
      </label>
      <label className={css.reversed}>
        <input
          type="checkbox"
          checked={search.order !== undefined && search.order !== usual(search.sort)}
          onChange={(e) => put({ order: e.target.checked ? (usual(search.sort) === "asc" ? "desc" : "asc") : undefined })}
        />
        reversed
      </label>
    </div>
  );
}

// usual() returns the default direction of an order: names and categories are sorted from A to Z, and everything else
// begins with the highest or the newest.
const usual = (sort: GuidelinesSearch["sort"]) => (sort === "name" || sort === "category" ? "asc" : "desc");

function SearchWords({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), pause);
    return () => clearTimeout(timer);
  });
  return (
    <label className={css.words}>
      <span className="hidden">Search in names and descriptions</span>
      <input
        id="search"
        type="search"
        className={inputClass}
        placeholder="Search  /"
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
      />
    </label>
  );
}

interface WordProps {
  label: string;
  value: string | undefined;
  known: { name: string }[] | undefined;
  onChange: (value: string | undefined) => void;
}

// The component Word is a filter for a word. The filter changes when the person presses Enter or leaves the field. The
// component suggests known words.
function Word({ label, value, known = [], onChange }: WordProps) {
  const id = useId();
  const commit = (text: string) => text.trim() !== (value ?? "") && onChange(text.trim() || undefined);
  return (
    <span>
      <input
        key={value ?? ""}
        aria-label={label}
        className={`${inputClass} ${css.word}`}
        placeholder={label}
        list={id}
        defaultValue={value ?? ""}
        onBlur={(e) => commit(e.target.value)}
        onKeyDown={(e) => e.key === "Enter" && commit(e.currentTarget.value)}
      />
      <datalist id={id}>
        {known.map((word) => (
          <option key={word.name} value={word.name} />
        ))}
      </datalist>
    </span>
  );
}
