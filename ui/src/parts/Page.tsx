import { useEffect } from "react";
import type { ReactNode } from "react";
import css from "./Page.module.css";

interface Props {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

// The component Page is the frame of every screen: a title, buttons and links for actions, and the content.
export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · guardrails`;
  }, [title]);
  return (
    <main className={css.page} id="main" tabIndex={-1}>
      <header className={css.head}>
        <div>
          <h1>{title}</h1>
          {about && <p className={css.about}>{about}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}
