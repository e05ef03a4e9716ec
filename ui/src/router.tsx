import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, stripSearchParams } from "@tanstack/react-router";
import { auditSearch, guidelinesSearch, listDefaults, playgroundSearch } from "./model/addresses";
import { Shell } from "./screens/Shell";
import { Missing } from "./screens/Missing";
import { Guidelines } from "./screens/guidelines/Guidelines";

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/guidelines", search: listDefaults, replace: true });
  },
});

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

const tree = root.addChildren([
  start,
  guidelines.addChildren([guidelinesIndex, guidelineNew, guidelineOne]),
  playground,
  audit,
]);

export const router = createRouter({ routeTree: tree, basepath: "/ui", defaultPreload: false, scrollRestoration: false });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
