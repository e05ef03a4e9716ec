// The banner says what the server answers about its own state, also with the status 503.
import { expect, open, test } from "./fixtures";

const states = [
  { status: 200, answer: { status: "degraded", source: "store", fault: "read_only" }, says: /^The store cannot be changed\./ },
  { status: 200, answer: { status: "degraded", source: "store", fault: "unavailable" }, says: /^The store does not answer \(unavailable\)\./ },
  { status: 200, answer: { status: "degraded", source: "snapshot", fault: "internal" }, says: /^The server cannot read the guidelines \(internal\)\. The last known/ },
  { status: 503, answer: { status: "unavailable", source: "static", fault: "unavailable" }, says: /it knows no earlier ones/ },
  { status: 503, answer: { status: "ending" }, says: /^The server is stopping\./ },
];

test("each state of the server has a text of its own, which goes away when the server is ready", async ({ ui, watched }) => {
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
