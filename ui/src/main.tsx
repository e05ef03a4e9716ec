import { CSPProvider } from "@base-ui/react/csp-provider";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Failure } from "./api/client";
import { redeemCode } from "./api/session";
import { router } from "./router";
import "./state/theme";
import "./styles/base.css";

// If a request shows that the session has ended, the page reads the session again and then shows the sign-in screen.
function noticeEnd(error: Error) {
  if (error instanceof Failure && error.status === 401) void client.invalidateQueries({ queryKey: ["session"] });
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.queryKey[0] !== "session" && noticeEnd(error) }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: "always",
      retry: (failures, error) => failures < 2 && error instanceof Failure && (error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: "always" },
  },
});

redeemCode();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
