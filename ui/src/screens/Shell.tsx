import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense, lazy, useEffect, useState } from "react";
import { Failure } from "../api/client";
import { ready, session } from "../api/queries";
import { signOut } from "../api/session";
import { screens } from "../model/screens";
import { stateSentence } from "../model/serverstate";
import { Failed, Loading } from "../parts/States";
import { Button } from "../parts/Button";
import { ToneIcon } from "../parts/Outcome";
import { useConnection } from "../state/connection";
import { useTheme } from "../state/theme";
import type { Theme } from "../state/theme";
import { useEvents, useLive } from "../state/events";
import { SignIn } from "./SignIn";
import css from "./Shell.module.css";

// The component Shell reads the session. If there is one, it shows the navigation and the screen. Otherwise it shows
// the sign-in page.
export function Shell() {
  const { data, error, isPending, refetch } = useQuery(session);
  if (isPending) return <Loading rows={3} label="Signing in" />;
  if (error instanceof Failure && error.status === 401) return <SignIn refusal={refusalOf(error)} />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  return <Signed />;
}

function refusalOf(error: Failure): string | undefined {
  return error.message.includes("code") ? error.message : undefined;
}

const Palette = lazy(() => import("./palette/Palette"));

function Signed() {
  useEvents();
  const [isSearching, setSearching] = usePaletteKey();
  return (
    <div className={css.shell}>
      {isSearching && (
        <Suspense>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      <aside className={css.side}>
        <div className={css.brand}>guardrails</div>
        <nav aria-label="Screens" className={css.nav}>
          {screens.map((screen) => (
            <Link key={screen.to} to={screen.to} activeOptions={{ exact: screen.to === "/", includeSearch: false }} className={css.link}>
              {screen.name}
            </Link>
          ))}
        </nav>
        <Button kind="quiet" className={css.start} aria-keyshortcuts="Control+K" onClick={() => setSearching(true)}>
          Go to <kbd>Ctrl K</kbd>
        </Button>
        <Foot />
      </aside>
      <div className={css.content}>
        <Banners />
        <Outlet />
      </div>
    </div>
  );
}

// usePaletteKey says whether the palette is open. Ctrl+K opens and closes it.
function usePaletteKey() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen((now) => !now);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return [isOpen, setOpen] as const;
}

function Foot() {
  const { data } = useQuery(session);
  const { theme, choose } = useTheme();
  const leave = useMutation({ mutationFn: signOut, onSettled: () => location.replace("/ui/") });
  return (
    <div className={css.foot}>
      <label className={css.theme}>
        <span>Colors</span>
        <select value={theme} onChange={(event) => choose(event.target.value as Theme)}>
          <option value="system">system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
      <div>
        {data?.name} · {data?.role}
        {data?.tenant_id && <div>tenant {data.tenant_id}</div>}
      </div>
      <Button kind="quiet" className={css.out} disabled={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </Button>
    </div>
  );
}

// The component Banners warns above each screen that the server does not answer, or that it answers from an older copy.
function Banners() {
  const lost = useConnection((state) => state.lost);
  const isLate = useLive((state) => state.isLate);
  const { data } = useQuery(ready);
  const state = data && stateSentence(data);
  return (
    <div aria-live="polite">
      {lost && (
        <div className={css.banner} data-tone="deny">
          <ToneIcon tone="deny" />
          The server does not answer. This page may be out of date. Your unsaved changes are kept in this browser.
        </div>
      )}
      {!lost && isLate && (
        <div className={css.banner} data-tone="warn">
          <ToneIcon tone="warn" />
          The server cannot report changes to this page. The page checks for changes every 15 seconds.
        </div>
      )}
      {!lost && state && (
        <div className={css.banner} data-tone="warn">
          <ToneIcon tone="warn" />
          {state}
        </div>
      )}
    </div>
  );
}
