import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { address } from "../../api/client";
import { session } from "../../api/queries";
import { guidelineCategoryValues } from "../../api/schema";
import { permits } from "../../api/session";
import { categoryWord } from "../../model/words";
import { buttonClass } from "../../parts/Button";
import { Field, inputClass } from "../../parts/Field";
import { Page } from "../../parts/Page";
import css from "./Exchange.module.css";
import { Import } from "./Import";

export function Exchange() {
  const { data: who } = useQuery(session);
  return (
    <Page title="Import and export" about="Move guidelines between stores, or between the store and a repository.">
      <div className={css.columns}>
        <section aria-labelledby="import" className={css.stack}>
          <h2 id="import">Import</h2>
          {permits(who?.role, "admin") ? <Import /> : <p className="soft">To import guidelines, you need the role "admin".</p>}
        </section>
        <Export />
      </div>
    </Page>
  );
}

function Export() {
  const [category, setCategory] = useState("");
  const link = (format: string) => address("/api/guardrails/export", { category, format });
  return (
    <section aria-labelledby="export" className={css.stack}>
      <h2 id="export">Export</h2>
      <Field label="Guidelines" hint="The guidelines are sorted by id, so that differences between two exports are small.">
        {(control) => (
          <select {...control} className={inputClass} value={category} onChange={(e) => setCategory(e.target.value)}>
            <option value="">of all categories</option>
            {guidelineCategoryValues.map((name) => (
              <option key={name} value={name}>
                of the category {categoryWord(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={css.buttons}>
        <a className={buttonClass} href={link("yaml")} download="guidelines.yaml">
          Export as YAML
        </a>
        <a className={buttonClass} href={link("json")} download="guidelines.json">
          Export as JSON
        </a>
      </div>
    </section>
  );
}
