import { createRootRoute, createRoute, createRouter, lazyRouteComponent, stripSearchParams } from "@tanstack/react-router";
import { auditSearch, guidelinesSearch, listDefaults, packsSearch, playgroundSearch, replaySearch, safetySearch, sessionsSearch } from "./model/addresses";
import { Shell } from "./screens/Shell";
import { Missing } from "./screens/Missing";
import { Overview } from "./screens/overview/Overview";
import { Guidelines } from "./screens/guidelines/Guidelines";

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });

const overview = createRoute({ getParentRoute: () => root, path: "/", component: Overview });

const guidelines = createRoute({
  getParentRoute: () => root,
  path: "/guidelines",
  component: Guidelines,
  validateSearch: guidelinesSearch,
  search: { middlewares: [stripSearchParams(listDefaults)] },
});
const guidelinesIndex = createRoute({ getParentRoute: () => guidelines, path: "/" });
const guidelineNew = createRoute({
  getParentRoute: () => guidelines,
  path: "/~new",
  component: lazyRouteComponent(() => import("./screens/editor/EditorPanel"), "NewGuideline"),
});
const guidelineOne = createRoute({
  getParentRoute: () => guidelines,
  path: "/$id",
  component: lazyRouteComponent(() => import("./screens/editor/EditorPanel"), "OneGuideline"),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: "/playground",
  component: lazyRouteComponent(() => import("./screens/playground/Playground"), "Playground"),
  validateSearch: playgroundSearch,
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  component: lazyRouteComponent(() => import("./screens/audit/Audit"), "Audit"),
  validateSearch: auditSearch,
});

const replay = createRoute({
  getParentRoute: () => root,
  path: "/replay",
  component: lazyRouteComponent(() => import("./screens/replay/Replay"), "Replay"),
  validateSearch: replaySearch,
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./screens/sessions/Sessions"), "Sessions"),
  validateSearch: sessionsSearch,
});

const session = createRoute({
  getParentRoute: () => root,
  path: "/sessions/$id",
  component: lazyRouteComponent(() => import("./screens/sessions/Session"), "Session"),
});

const safety = createRoute({
  getParentRoute: () => root,
  path: "/safety",
  component: lazyRouteComponent(() => import("./screens/safety/Safety"), "Safety"),
  validateSearch: safetySearch,
});

const packs = createRoute({
  getParentRoute: () => root,
  path: "/packs",
  component: lazyRouteComponent(() => import("./screens/packs/Packs"), "Packs"),
  validateSearch: packsSearch,
});

const exchange = createRoute({
  getParentRoute: () => root,
  path: "/exchange",
  component: lazyRouteComponent(() => import("./screens/exchange/Exchange"), "Exchange"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("./screens/settings/Settings"), "Settings"),
});

const tree = root.addChildren([
  overview,
  guidelines.addChildren([guidelinesIndex, guidelineNew, guidelineOne]),
  playground,
  audit,
  replay,
  sessions,
  session,
  safety,
  packs,
  exchange,
  settings,
]);

export const router = createRouter({ routeTree: tree, basepath: "/ui", defaultPreload: false, scrollRestoration: false });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
