import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuditList, DeliveryList, WebhookList } from "../src/api/shapes";
import { checkScreen, expect, open, signInAs, test } from "./fixtures";

const policies = `version: 1
rules:
  - name: pii_guard
    priority: 98
    when: { message_contains: ["my ssn"] }
    actions:
      - { type: override_safety, action: HOLD }
`;
const sued = "Am I going to be sued?";

test("held and blocked messages are listed, with what would have happened to an observed message", async ({ ui, server }) => {
  server.own("safety: {mode: observe}\n");
  server.write(".claude/guardrails-policies.yaml", policies);
  await expect.poll(async () => (await server.api<{ mode: string }>("GET", "/api/guardrails/policies")).mode).toBe("observe");
  server.prompt(sued);
  await server.api("POST", "/api/guardrails/check/message", { message: "Here is my SSN" });
  const results = async () => (await server.api<AuditList>("GET", "/api/guardrails/audit?event_type=safety_input")).entries.map((e) => e.decision?.result).sort();
  await expect.poll(results).toEqual(["block", "hold"]);
  await open(ui, "Safety");
  const rows = ui.getByRole("list", { name: "Held and blocked" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "Only observed. The message would have been stopped." })).toHaveCount(1);
  await expect(rows.filter({ hasText: "The policy pii_guard changed PROCEED to HOLD." })).toHaveCount(1);
  await expect(ui.getByRole("list", { name: "Rules in force" }).getByText("pii_guard")).toBeVisible();

  await ui.getByLabel("Verdict", { exact: true }).selectOption("hold");
  await expect(rows).toHaveText([/held/]);
  await ui.getByLabel("Verdict", { exact: true }).selectOption("");
  const asked = ui.waitForRequest((request) => request.url().includes("result=hold") && request.url().includes("mode=off"));
  await ui.getByLabel("Mode", { exact: true }).selectOption("off");
  await asked; // the server filters, so older verdicts are found, too
  await expect(ui).toHaveURL(/mode=off/);
  await ui.getByLabel("Mode", { exact: true }).selectOption("observe");
  await expect(rows.filter({ hasText: "blocked" })).toHaveCount(1);
  await ui.getByLabel("Mode", { exact: true }).selectOption("");
  await ui.getByLabel("Time").selectOption("hour");
  await expect(rows).toHaveCount(2);
  await ui.getByLabel("Try a message").fill("Here is my SSN");
  await ui.getByRole("button", { name: "Check the message" }).click();
  await expect(ui.getByRole("list", { name: "Trace of the rules" }).getByText("applies", { exact: true })).toBeVisible();
  await expect(ui.getByRole("group", { name: "Verdict" }).getByText("held")).toBeVisible();
  await checkScreen(ui, "safety");
  expect(await results()).toEqual(["block", "hold"]); // trying a message records nothing

  await ui.getByText("Check the text of a policy file").click();
  await ui.getByLabel("Policy file").fill("version: 1\nrules:\n  - {name: a, actions: [{type: send}]}\n");
  await ui.getByRole("button", { name: "Check the file" }).click();
  await expect(ui.getByText(/line 3: rules\[0\]\.actions\[0\]\.type/)).toBeVisible();
  await ui.getByLabel("Policy file").fill(policies);
  await ui.getByRole("button", { name: "Check the file" }).click();
  await expect(ui.getByText("No mistakes. 1 rule.")).toBeVisible();
});

test("a person who may only read can try a message", async ({ page, server }) => {
  await signInAs(page, server, "read");
  await page.goto(`${server.url}/ui/safety`);
  await page.getByLabel("Try a message").fill(sued);
  await page.getByRole("button", { name: "Check the message" }).click();
  await expect(page.getByRole("group", { name: "Verdict" }).getByText("blocked")).toBeVisible();
  expect((await server.api<AuditList>("GET", "/api/guardrails/audit?event_type=safety_input")).entries).toEqual([]);
});

test("a webhook is added, tested, replayed, switched off, given a new secret and removed", async ({ ui, server, watched }) => {
  watched.expected.push(/400/);
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  try {
    const hooks = async () => (await server.api<WebhookList>("GET", "/api/guardrails/webhooks")).webhooks;
    await open(ui, "Safety");
    await ui.getByLabel("URL", { exact: true }).fill("ftp://example.com/x");
    await ui.getByRole("button", { name: "Add the webhook" }).click();
    await expect(ui.getByRole("alert")).toBeVisible();
    await ui.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`);
    await ui.getByLabel("Description", { exact: true }).fill("People on duty");
    await ui.getByLabel("Format", { exact: true }).selectOption("json");
    await ui.getByRole("combobox", { name: "Events to send" }).fill("decision.denied");
    await ui.getByRole("option", { name: /decision.denied/ }).click();
    await ui.getByLabel("Allow an address in a private network").check();
    await ui.getByRole("button", { name: "Add the webhook" }).click();
    await expect(ui.getByText(/^whsec_/)).toBeVisible();
    const [made] = await hooks();
    expect(made).toMatchObject({ description: "People on duty", events: ["decision.denied"], format: "json", allow_private: true, enabled: true });
    const id = made?.id ?? "";
    const row = ui.getByRole("list", { name: "Webhooks" }).getByRole("listitem").first();

    await row.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => bodies.filter((body) => body.includes("webhook.test")).length).toBe(1);
    await row.getByRole("link", { name: "Show the deliveries" }).click();
    await expect(ui).toHaveURL(new RegExp(`webhook=${id}`));
    await ui.getByRole("list", { name: "Deliveries" }).getByRole("button", { name: "Send webhook.test again" }).click();
    await expect.poll(() => bodies.filter((body) => body.includes("webhook.test")).length).toBe(2);
    await expect(ui.getByRole("list", { name: "Deliveries" }).getByText("sent again")).toBeVisible();
    const sent = await server.api<DeliveryList>("GET", `/api/guardrails/webhooks/${id}/deliveries`);
    expect(sent.deliveries.map((each) => each.state)).toEqual(["delivered", "delivered"]);
    server.hook("Bash", { command: "rm -rf ~" });
    await expect.poll(() => bodies.filter((body) => body.includes("decision.denied")).length).toBe(1);
    await checkScreen(ui, "webhooks");

    await row.getByRole("switch").click();
    await expect.poll(async () => (await hooks())[0]?.enabled).toBe(false);
    await row.getByRole("switch").click();
    await expect.poll(async () => (await hooks())[0]?.enabled).toBe(true);
    const former = await ui.getByText(/^whsec_/).textContent();
    await row.getByRole("button", { name: "New secret" }).click();
    await ui.getByRole("alertdialog").getByRole("button", { name: "Make it" }).click();
    await expect(ui.getByText(/^whsec_/)).not.toHaveText(former ?? "");
    for (let i = 0; i < 20; i++) await server.api("POST", `/api/guardrails/webhooks/${id}/test`);
    const all = (await server.api<DeliveryList>("GET", `/api/guardrails/webhooks/${id}/deliveries`)).total;
    await ui.reload();
    const shown = ui.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
    await expect(shown).toHaveCount(20);
    await ui.getByRole("button", { name: "Show older deliveries" }).click();
    await expect(shown).toHaveCount(all);
    await expect(ui.getByRole("button", { name: "Show older deliveries" })).toHaveCount(0);
    await row.getByRole("button", { name: "Remove" }).click();
    await ui.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect(ui.getByText("There are no webhooks yet.")).toBeVisible();
    expect(await hooks()).toEqual([]);
  } finally {
    receiver.close();
  }
});
