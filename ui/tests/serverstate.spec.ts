// The banner shows the state that the server reports about itself, even if the status of the answer is 503.
import { expect, open, test } from "./fixtures";

const states = [
  { status: 200, answer: { status: "degraded", source: "store", fault: "read_only" }, says: /^The store is read-only\./ },
  { status: 200, answer: { status: "degraded", source: "store", fault: "unavailable" }, says: /^The store does not answer \(unavailable\)\./ },
  { status: 200, answer: { status: "degraded", source: "snapshot", fault: "internal" }, says: /^The server cannot read the guidelines \(internal\)\. The last known/ },
  { status: 503, answer: { status: "unavailable", source: "static", fault: "unavailable" }, says: /and has no earlier copy of them/ },
  { status: 503, answer: { status: "ending" }, says: /^The server is stopping\./ },
];

test("the banner has its own text for each state of the server, and disappears when the server is ready", async ({ ui, watched }) => {
  watched.expected.push(/503/);
  for (const { status, answer, says } of states) {
    await ui.route("**/readyz", (route) => route.fulfill({ status, json: answer }));
    await ui.reload();
    await expect(ui.getByText(says), answer.status).toBeVisible();
    await ui.unroute("**/readyz");
  }
  await ui.reload();
  await open(ui, "Audit");
  for (const { says } of states) await expect(ui.getByText(says)).toBeHidden();
});
