import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { playgroundSearch } from "../../model/addresses";
import { Page } from "../../parts/Page";
import { Saved } from "../../parts/Saved";
import { CallForm } from "./CallForm";
import css from "./Playground.module.css";
import { TaskForm } from "./TaskForm";

// Playground judges a call or a task with the guidelines in force. Nothing runs, and nothing is recorded.
export function Playground() {
  const search = useSearch({ from: "/playground" });
  const navigate = useNavigate({ from: "/playground" });
  const { mode = "call" } = search;
  const hasContext = Object.keys(search).some((field) => field !== "mode");
  return (
    <Page title="Playground" about="See what would be decided, and why. Nothing runs, and nothing is recorded.">
      <nav className={css.modes} aria-label="What to try">
        <Link to="/playground" search={{ mode: undefined }} className={css.mode} activeOptions={{ includeSearch: true, explicitUndefined: true }}>
          A tool call
        </Link>
        <Link to="/playground" search={{ mode: "task" }} className={css.mode} activeOptions={{ includeSearch: true }}>
          A task
        </Link>
      </nav>
      <Saved
        kind="playground"
        what="context"
        current={hasContext ? search : {}}
        onOpen={(saved) => void navigate({ to: ".", search: playgroundSearch(saved) })}
      />
      {mode === "call" ? <CallForm /> : <TaskForm />}
    </Page>
  );
}
