import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { guidelines, session } from "../../api/queries";
import { permits, signOut } from "../../api/session";
import { matching } from "../../model/palette";
import type { Offer } from "../../model/palette";
import { screens } from "../../model/screens";
import { Raw } from "../../parts/Raw";
import { useTheme } from "../../state/theme";
import type { Theme } from "../../state/theme";
import { useSettled } from "../editor/notes";
import css from "./Palette.module.css";

const most = 8;

// Palette opens a screen or a guideline, or runs an action. It works with the keyboard alone.
export default function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const offers = useOffers(typed);
  const chosen = Math.min(at, offers.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (offer: Offer | undefined) => {
    if (!offer) return;
    onClose();
    offer.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, offers.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") run(offers[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup}>
          <Dialog.Title className="hidden">Search screens, guidelines and actions</Dialog.Title>
          <input
            className={css.input}
            role="combobox"
            aria-label="Search screens, guidelines and actions"
            aria-expanded={offers.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={offers.length > 0 ? `${id}-${chosen}` : undefined}
            autoComplete="off"
            placeholder="Search screens, guidelines and actions"
            value={typed}
            onChange={(e) => {
              setTyped(e.target.value);
              setAt(0);
            }}
            onKeyDown={press}
          />
          {offers.length === 0 && <p className={css.none}>Nothing matches.</p>}
          <div ref={list} id={`${id}-list`} role="listbox" aria-label="Screens, guidelines and actions" className={css.list} hidden={offers.length === 0}>
            {offers.map((offer, i) => (
              <div
                key={offer.id}
                id={`${id}-${i}`}
                role="option"
                aria-selected={i === chosen}
                className={css.offer}
                onPointerMove={() => setAt(i)}
                onClick={() => run(offer)}
              >
                <Raw text={offer.name} />
                <span className={css.about}>{offer.about}</span>
              </div>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useOffers(typed: string): Offer[] {
  const navigate = useNavigate();
  const { data: who } = useQuery(session);
  const choose = useTheme((state) => state.choose);
  const words = useSettled(typed.trim());
  const named = useQuery({ ...guidelines({ search: words, sort: "priority", page_size: most }), enabled: words !== "" });
  const found = words === "" || words !== typed.trim() ? [] : (named.data?.guidelines ?? []);
  const go = screens.map((screen) => ({ id: screen.to, name: screen.name, about: "screen", run: () => void navigate({ to: screen.to }) }));
  const acts: Offer[] = [
    ...(permits(who?.role, "write") ? [{ id: "new", name: "New guideline", run: () => void navigate({ to: "/guidelines/~new", search: { sort: "priority" } }) }] : []),
    ...(["light", "dark", "system"] as Theme[]).map((theme) => ({ id: theme, name: `Colors: ${theme}`, run: () => choose(theme) })),
    { id: "out", name: "Sign out", run: () => void signOut().finally(() => location.replace("/ui/")) },
  ].map((act) => ({ ...act, about: "action" }));
  const opens = found.map((g) => ({
    id: `${g.project_id ?? ""}/${g.id}`,
    name: g.name,
    about: "guideline",
    run: () => void navigate({ to: "/guidelines/$id", params: { id: g.id }, search: { sort: "priority", project: g.project_id } }),
  }));
  const judge = typed.trim()
    ? [{ id: "judge", name: `Judge: ${typed.trim()}`, about: "in the playground", run: () => void navigate({ to: "/playground", search: { command: typed.trim() } }) }]
    : [];
  return [...matching([...go, ...acts], typed), ...opens, ...judge];
}
